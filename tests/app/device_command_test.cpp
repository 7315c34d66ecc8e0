// SPDX-License-Identifier: BSD-2-Clause
// --device, --split, --verify-gpu and `tandem devices`, with GPUs that are missing, fail or lie: see fake_devices.cpp.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/devices/device_choice.h"
#include "machine/errors.h"
#include "me/search.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Variables of the environment for as long as a command runs.
class Environment {
  public:
    explicit Environment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {
        for (const auto& [name, value] : variables_)
            ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Environment() {
        for (const auto& [name, value] : variables_)
            ::unsetenv(name.c_str());
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    std::map<std::string, std::string> variables_;
};

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

class DeviceCommand : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(72, 70, 9)); }

    Outcome run(const Words& words, std::map<std::string, std::string> environment = {}) const {
        const Environment set(std::move(environment));
        return run_command(folder_.path(), words);
    }
    Outcome encode(const Words& options, std::map<std::string, std::string> environment = {}) const {
        Words words{"encode", "clip.y4m", "-o", "made.m2v"};
        words.insert(words.end(), options.begin(), options.end());
        std::filesystem::remove(folder_ / "made.m2v");
        return run(words, std::move(environment));
    }
    /// The stream, of an encode that must succeed.
    std::string stream(const Words& options, std::map<std::string, std::string> environment = {}) const {
        const Outcome outcome = encode(options, std::move(environment));
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        return outcome.code == 0 ? read_file(folder_ / "made.m2v") : std::string();
    }
    bool is_written() const { return std::filesystem::exists(folder_ / "made.m2v"); }

    TemporaryFolder folder_;
};

TEST(DeviceWord, IsParsed) {
    EXPECT_TRUE(parse_device("auto").gpus);
    EXPECT_FALSE(parse_device("auto").gpus_are_required);
    EXPECT_FALSE(parse_device("cpu").gpus);
    EXPECT_TRUE(parse_device("gpu").gpus_are_required);
    EXPECT_FALSE(parse_device("gpu").cpu_shares);
    EXPECT_EQ(parse_device("gpu:0,2").ordinals, (std::vector<int>{0, 2}));
    EXPECT_TRUE(parse_device("cpu+gpu").cpu_shares);
    EXPECT_EQ(parse_device("cpu+gpu:1").ordinals, std::vector<int>{1});
    for (const char* word : {"", "GPU", "gpu:", "gpu:a", "gpu:0,", "gpu:,0", "gpu:-1", "gpu:1,1", "gpu:0 ", "gpu0",
                             "cpu+", "cpu+cpu", "cpu:0", "gpu:99999999999", "auto "})
        EXPECT_THROW(parse_device(word), InputError) << word;
}

TEST_F(DeviceCommand, AutoTakesTheGpusAndSaysSoInOneLine) {
    const Outcome outcome = encode({"-v"}, {{"TANDEM_FAKE_GPUS", "2"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.errors.find("motion on gpu:0 Fake, gpu:1 Fake\n"), std::string::npos) << outcome.errors;
    EXPECT_EQ(count(outcome.errors, "motion on"), 1);
}

TEST_F(DeviceCommand, AutoWaitsForNoGpu) {
    const std::string expected = stream({"--device", "cpu"});
    EXPECT_TRUE(stream({"-v"}, {{"TANDEM_FAKE_OPENING", "30"}}) == expected);
    EXPECT_TRUE(stream({"--report", "r.json"}, {{"TANDEM_FAKE_OPENING", "never"}}) == expected);
    EXPECT_EQ(Json::parse(read_file(folder_ / "r.json"))["device"], "cpu");
    EXPECT_TRUE(stream({"--bitrate", "300", "--two-pass"}, {{"TANDEM_FAKE_OPENING", "never"}}) ==
                stream({"--bitrate", "300", "--two-pass", "--device", "cpu"}));
}

TEST_F(DeviceCommand, GpusThatComeInMidStreamGiveTheSameStream) {
    write_file(folder_ / "clip.y4m", y4m_clip(72, 70, 150));
    const Words base{"--preset", "superfast", "--threads", "1"};
    const std::string expected = stream({"--preset", "superfast", "--threads", "1", "--device", "cpu"});
    for (const char* milliseconds : {"0", "5", "10", "20", "40", "80"}) {
        EXPECT_TRUE(stream(base, {{"TANDEM_FAKE_GPUS", "2"}, {"TANDEM_FAKE_OPENING", milliseconds}}) == expected)
            << milliseconds;
    }
}

TEST_F(DeviceCommand, GpusThatAreAskedForDoAllOfIt) {
    // The report names the device of each picture's last search: here a picture has one, and nobody looks ahead.
    const Outcome outcome = encode({"--device", "gpu", "--preset", "ultrafast", "--report", "r.json"},
                                   {{"TANDEM_FAKE_GPUS", "2"}, {"TANDEM_FAKE_MEETING", "1"}});
    EXPECT_EQ(outcome.code, 0);
    const std::string device = Json::parse(read_file(folder_ / "r.json"))["device"];
    EXPECT_EQ(count(device, "gpu:0"), 1) << device;
    EXPECT_EQ(count(device, "gpu:1"), 1) << device;
    EXPECT_EQ(device.find("cpu"), std::string::npos) << device;
}

TEST_F(DeviceCommand, AutoWithoutAGpuIsTheCpuAndSaysWhyInAVerboseRun) {
    const std::map<std::string, std::string> none{{"TANDEM_FAKE_GPUS", "0"},
                                                  {"TANDEM_FAKE_WHY", "the driver is too old"}};
    for (const std::vector<std::string>& plain : {std::vector<std::string>{}, {"--device", "cpu"}}) {
        const Outcome outcome = encode(plain, none);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.errors.find("motion on"), std::string::npos) << outcome.errors;
    }
    const Outcome outcome = encode({"-v"}, none);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.errors.find("motion on the CPU (the driver is too old)\n"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("warning"), std::string::npos);
}

TEST_F(DeviceCommand, AGpuAskedForThatIsNotThereEndsBeforeAnythingIsWritten) {
    for (const char* device : {"gpu", "gpu:0", "cpu+gpu", "cpu+gpu:1"}) {
        const auto before = snapshot_of(folder_.path());
        const Outcome outcome = encode({"--device", device, "--report", "r.json", "--recon", "r.y4m"},
                                       {{"TANDEM_FAKE_GPUS", "0"}, {"TANDEM_FAKE_WHY", "the driver is too old"}});
        EXPECT_EQ(outcome.code, 1) << device;
        EXPECT_NE(outcome.errors.find("the driver is too old"), std::string::npos) << outcome.errors;
        EXPECT_EQ(snapshot_of(folder_.path()), before) << device;
    }
}

TEST_F(DeviceCommand, ANumberThatNoGpuHasIsRefusedWithWhatIsThere) {
    const Outcome outcome = encode({"--device", "gpu:0,7"}, {{"TANDEM_FAKE_GPUS", "2"}});
    EXPECT_EQ(outcome.code, 2);
    for (const char* words : {"no gpu:7", "gpu:0 Fake", "gpu:1 Fake"})
        EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
    EXPECT_FALSE(is_written());
    EXPECT_EQ(encode({"--device", "gpus"}).code, 2);
}

TEST_F(DeviceCommand, OneOfSeveralIsChosen) {
    const Outcome outcome = encode({"--device", "gpu:1"}, {{"TANDEM_FAKE_GPUS", "3"}});
    EXPECT_NE(outcome.errors.find("motion on gpu:1 Fake\n"), std::string::npos) << outcome.errors;
}

TEST_F(DeviceCommand, AGpuThatCannotBeUsedIsLeftOutUnlessItIsNamed) {
    const std::map<std::string, std::string> second_unusable{{"TANDEM_FAKE_GPUS", "2"}, {"TANDEM_FAKE_UNUSABLE", "1"}};
    for (const char* device : {"auto", "gpu"}) {
        const Outcome outcome = encode({"-v", "--device", device}, second_unusable);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_NE(outcome.errors.find("motion on gpu:0 Fake\n"), std::string::npos) << outcome.errors;
        EXPECT_NE(outcome.errors.find("warning: not used: gpu:1 Fake: no code for it"), std::string::npos);
    }
    const Outcome named = encode({"--device", "gpu:0,1"}, second_unusable);
    EXPECT_EQ(named.code, 1);
    EXPECT_NE(named.errors.find("gpu:1 Fake: no code for it"), std::string::npos) << named.errors;
    EXPECT_FALSE(is_written());
}

TEST_F(DeviceCommand, OneStreamHoweverTheWorkIsShared) {
    for (const Words& base : {Words{"--bframes", "2"}, Words{"--me-reference", "recon", "--me", "smpuhex"}}) {
        const auto with = [&](Words words) {
            words.insert(words.end(), base.begin(), base.end());
            return words;
        };
        const std::string expected = stream(with({"--device", "cpu"}));
        for (const char* split : {"auto", "pictures", "bands"}) {
            for (const char* gpus : {"1", "3"}) {
                for (const char* device : {"gpu", "cpu+gpu"}) {
                    EXPECT_TRUE(stream(with({"--device", device, "--split", split}),
                                       {{"TANDEM_FAKE_GPUS", gpus}, {"TANDEM_FAKE_LANES", "2"}}) == expected)
                        << device << " " << gpus << " " << split;
                }
            }
        }
    }
}

TEST_F(DeviceCommand, OneStreamForEverySearch) {
    for (const SearchRow& row : search_table()) {
        if (row.from_hint || !is_built(row)) continue; // The encoder has no hint to give.
        const std::string name(row.name);
        EXPECT_TRUE(stream({"--me", name, "--device", "gpu"}) == stream({"--me", name, "--device", "cpu"})) << name;
    }
    const Words colour{"--me", "tss", "--metric", "ssd", "--planes", "all", "--device"};
    Words gpu = colour, cpu = colour;
    gpu.emplace_back("gpu");
    cpu.emplace_back("cpu");
    EXPECT_TRUE(stream(gpu) == stream(cpu));
}

TEST_F(DeviceCommand, SaysWhereNoGpuDoesTheSearch) {
    const std::string words = "no GPU in use does this search; the CPU does it";
    EXPECT_EQ(count(encode({"--me", "hier", "--device", "gpu"}).errors, "warning: " + words), 1);
    const std::string by_itself = encode({"--me", "hier", "-v"}).errors;
    EXPECT_EQ(count(by_itself, words), 1);
    EXPECT_EQ(count(by_itself, "warning"), 0);
    for (const char* options : {"gpu", "cpu"})
        EXPECT_EQ(count(encode({"--me", "log", "--device", options}).errors, words), 0);
    EXPECT_EQ(count(encode({"--me", "hier", "--device", "cpu"}).errors, words), 0);
}

TEST_F(DeviceCommand, AGpuThatFailsInMidStreamIsOneWarningAndTheSameStream) {
    for (const char* reference : {"source", "recon"}) {
        Words base{"--bframes", "1", "--me-reference", reference, "--device", "cpu"};
        const std::string expected = stream(base);
        base.back() = "gpu";
        for (const char* failure : {"0", "1", "4"}) {
            for (const char* lanes : {"1", "4"}) {
                const Outcome outcome = encode(base, {{"TANDEM_FAKE_FAILURE", failure}, {"TANDEM_FAKE_LANES", lanes}});
                EXPECT_EQ(outcome.code, 0) << outcome.errors;
                EXPECT_EQ(count(outcome.errors, "warning: gpu:0 Fake failed (the launch was refused)"), 1)
                    << outcome.errors;
                EXPECT_EQ(count(outcome.errors, "warning"), 1) << outcome.errors;
                EXPECT_TRUE(read_file(folder_ / "made.m2v") == expected) << reference << " " << failure;
            }
        }
    }
}

TEST_F(DeviceCommand, SeveralGpusThatFailAreOneWarningEach) {
    const std::string expected = stream({"--device", "cpu"});
    const Outcome outcome =
        encode({"--device", "gpu", "--split", "bands"},
               {{"TANDEM_FAKE_FAILURE", "1"}, {"TANDEM_FAKE_GPUS", "3"}, {"TANDEM_FAKE_MEETING", "1"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(count(outcome.errors, "warning"), 3) << outcome.errors;
    EXPECT_TRUE(read_file(folder_ / "made.m2v") == expected);
}

TEST_F(DeviceCommand, VerifyGpuSaysHowMuchItCompared) {
    const Outcome outcome =
        encode({"--preset", "superfast", "--verify-gpu", "--split", "pictures"}, {{"TANDEM_FAKE_GPUS", "2"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.errors.find("--verify-gpu: 8 searches on GPUs gave what the CPU gives"), std::string::npos)
        << outcome.errors;
    const Outcome nothing = encode({"--preset", "superfast", "--verify-gpu", "--me", "hier"});
    EXPECT_EQ(nothing.code, 0);
    EXPECT_NE(nothing.errors.find("compared nothing"), std::string::npos) << nothing.errors;
}

TEST_F(DeviceCommand, VerifyGpuStopsAtTheFirstDifferenceWithPictureAndBlock) {
    for (const char* lanes : {"1", "3"}) {
        const Outcome outcome = encode({"--verify-gpu"}, {{"TANDEM_FAKE_LIE", "0"}, {"TANDEM_FAKE_LANES", lanes}});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_NE(outcome.errors.find("block 2,1 (column, row), candidate 0: gpu:0 Fake found (3,-2) pels"),
                  std::string::npos)
            << outcome.errors;
        EXPECT_FALSE(is_written());
    }
    const Outcome fourth = encode({"--preset", "superfast", "--verify-gpu"}, {{"TANDEM_FAKE_LIE", "3"}});
    EXPECT_NE(fourth.errors.find("picture 4 (in display order), block 2,1"), std::string::npos) << fourth.errors;
    EXPECT_EQ(encode({}, {{"TANDEM_FAKE_LIE", "0"}}).code, 0) << "nobody looks";
}

TEST_F(DeviceCommand, VerifyGpuLooksAtTheFirstRowAndTheLast) {
    for (const char* row : {"0", "4"}) {
        const Outcome outcome =
            encode({"--verify-gpu", "--split", "pictures"}, {{"TANDEM_FAKE_LIE", "0"}, {"TANDEM_FAKE_LIE_ROW", row}});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_NE(outcome.errors.find(std::string("block 2,") + row), std::string::npos) << outcome.errors;
    }
}

TEST_F(DeviceCommand, VerifyGpuRefusesTheSearchThatIsNotExact) {
    const Outcome outcome = encode({"--verify-gpu", "--me", "poc"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("--verify-gpu compares bit for bit, and --me poc"), std::string::npos)
        << outcome.errors;
    EXPECT_FALSE(is_written());
}

TEST_F(DeviceCommand, VerifyGpuNeedsAGpu) {
    EXPECT_EQ(encode({"--verify-gpu"}, {{"TANDEM_FAKE_GPUS", "0"}}).code, 1);
    EXPECT_EQ(encode({"--verify-gpu", "--device", "cpu"}).code, 2);
    EXPECT_FALSE(is_written());
}

TEST_F(DeviceCommand, DevicesListsWhatIsThereAndWhatRunsThere) {
    const Outcome outcome =
        run({"devices", "--report", "d.json"}, {{"TANDEM_FAKE_GPUS", "2"}, {"TANDEM_FAKE_UNUSABLE", "1"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(count(outcome.output, "\n"), 4) << outcome.output;
    for (const char* words :
         {"gpu:0", "Fake", "1.5 GiB", "sm_86", "CUDA 13.0", "full tss", "none: no code for it", "cpu"})
        EXPECT_NE(outcome.output.find(words), std::string::npos) << words << " is not in: " << outcome.output;
    const Json report = Json::parse(read_file(folder_ / "d.json"));
    ASSERT_EQ(report["gpus"].size(), 2u);
    EXPECT_EQ(report["gpus"][0]["device"], "gpu:0");
    EXPECT_EQ(report["gpus"][0]["compute_capability"], "8.6");
    EXPECT_EQ(report["gpus"][0]["memory_bytes"], 3u << 29);
    EXPECT_TRUE(report["gpus"][0]["why_unusable"].is_null());
    const auto built = static_cast<std::size_t>(std::ranges::count_if(search_table(), is_built));
    EXPECT_EQ(report["gpus"][0]["searches"].size() + 1, built) << "all but hier";
    EXPECT_EQ(report["gpus"][1]["why_unusable"], "no code for it");
    EXPECT_TRUE(report["gpus"][1]["searches"].empty());
    EXPECT_TRUE(report["why_no_gpu"].is_null());
    EXPECT_EQ(report["cpu"]["searches"].size(), built);
    EXPECT_GE(report["cpu"]["threads"], 1);
}

TEST_F(DeviceCommand, DevicesWithoutAGpuSaysWhyAndIsNoFailure) {
    const Outcome outcome = run({"devices"}, {{"TANDEM_FAKE_GPUS", "0"}, {"TANDEM_FAKE_WHY", "the driver is too old"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find("no GPU: the driver is too old\n"), std::string::npos) << outcome.output;
    const Outcome json = run({"devices", "--report", "-"}, {{"TANDEM_FAKE_GPUS", "0"}});
    EXPECT_EQ(Json::parse(json.output)["why_no_gpu"], "none was asked for");
}

TEST_F(DeviceCommand, ComparedPointsNameTheGpuThatRanThem) {
    const Outcome outcome = run({"compare", "clip.y4m", "-o", "out", "--devices", "cpu,gpu:0,gpu:1", "--searches",
                                 "log", "--qps", "8", "--repeat", "1", "--peers", "none"},
                                {{"TANDEM_FAKE_GPUS", "2"}});
    if (outcome.errors.find("has no FFmpeg") != std::string::npos) GTEST_SKIP() << outcome.errors;
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    std::map<std::string, std::string> gpus;
    std::istringstream lines(read_file(folder_ / "out/results.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        gpus[row["device"]] = row["provenance"].value("gpu", "none");
    }
    EXPECT_EQ(gpus,
              (std::map<std::string, std::string>{{"cpu", "none"}, {"gpu:0", "gpu:0 Fake"}, {"gpu:1", "gpu:1 Fake"}}));
}

} // namespace
} // namespace tandem::test
