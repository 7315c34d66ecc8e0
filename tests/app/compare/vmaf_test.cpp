// SPDX-License-Identifier: BSD-2-Clause
// VMAF by the ffmpeg command: what it is given, and what is read of its log. A script of the same name stands in for a
// command with libvmaf; where the real one is there, it is asked too.
#include "app/compare/sweep/vmaf.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include <fmt/format.h>

#include "machine/errors.h"
#include "tests/app/compare/compare_fixture.h"

namespace tandem::test {
namespace {

/// Puts a folder before the others of PATH for its life.
class FirstOnPath {
  public:
    explicit FirstOnPath(const std::string& folder) : before_(std::getenv("PATH")) {
        ::setenv("PATH", (folder + ":" + before_).c_str(), 1);
    }
    ~FirstOnPath() { ::setenv("PATH", before_.c_str(), 1); }
    FirstOnPath(const FirstOnPath&) = delete;
    FirstOnPath& operator=(const FirstOnPath&) = delete;

  private:
    std::string before_;
};

/// An `ffmpeg` that knows libvmaf, keeps what it is given in fed.bin and then runs `answer`.
void write_script(const TemporaryFolder& folder, const std::string& answer) {
    write_file(folder / "ffmpeg", "#!/bin/sh\n"
                                  "case \"$*\" in\n"
                                  "*-filters*) echo ' .. libvmaf VV->V Calculate the VMAF.'; exit ;;\n"
                                  "*-version*) echo 'ffmpeg version 0'; exit ;;\n"
                                  "esac\n"
                                  "cat > '" +
                                      (folder / "fed.bin") + "'\n" + answer + "\n");
    ::chmod((folder / "ffmpeg").c_str(), 0700);
}

std::string log_of(const std::vector<double>& figures) {
    std::string frames;
    for (const double figure : figures)
        frames += fmt::format("{}{{\"frameNum\":0,\"metrics\":{{\"integer_adm2\":1,\"vmaf\":{}}}}}",
                              frames.empty() ? "" : ",", figure);
    return "{\"version\":\"3\",\"frames\":[" + frames + "],\"pooled_metrics\":{\"vmaf\":{\"mean\":7}}}";
}

TEST(Vmaf, IsKnownByItsFilterAlone) {
    EXPECT_TRUE(
        lists_vmaf("Filters:\n ... abuffer |->A Buffer.\n .. libvmaf           VV->V      Calculate the VMAF\n"));
    EXPECT_TRUE(lists_vmaf(" T.. libvmaf VV->V"));
    EXPECT_FALSE(lists_vmaf(" .. vmafmotion V->V Calculate the VMAF Motion score, as libvmaf does.\n"));
    EXPECT_FALSE(lists_vmaf(" .. libvmaf_cuda VV->V"));
    EXPECT_FALSE(lists_vmaf(""));
}

TEST(Vmaf, IsTheMeanOfTheLogsPictures) {
    EXPECT_DOUBLE_EQ(vmaf_of_log(log_of({90, 80.5, 99.5}), 3), 90);
    EXPECT_THROW(vmaf_of_log(log_of({90, 80}), 3), RunError) << "a picture less";
    EXPECT_THROW(vmaf_of_log("", 1), RunError);
    EXPECT_THROW(vmaf_of_log("[]", 1), RunError);
    EXPECT_THROW(vmaf_of_log(R"({"frames":[{"metrics":{"psnr_y":3}}]})", 1), RunError);
    EXPECT_THROW(vmaf_of_log(R"({"frames":[{"metrics":{"vmaf":"nan"}}]})", 1), RunError);
}

TEST(Vmaf, PairsAreFedDecodedAboveSource) {
    constexpr int odd_width = 5, odd_height = 3;
    const TemporaryFolder folder;
    write_script(folder, "echo '" + log_of({50}) + "'");
    const FirstOnPath path(folder.path());
    const auto frame_of = [&](std::uint8_t first) {
        Frame frame(odd_width, odd_height);
        for (int plane = 0; plane < 3; ++plane) {
            const MutablePlaneView view = frame.plane(plane).view();
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x)
                    view.at(x, y) = static_cast<std::uint8_t>(first + plane * 50 + y * 10 + x);
        }
        return frame;
    };
    VmafRun run(odd_width, odd_height, 1, folder.path());
    run.add(frame_of(0), frame_of(100));
    EXPECT_EQ(run.finish(), 50);
    std::string expected;
    const auto append = [&](int first, const std::vector<int>& rows, int width_of_plane) {
        for (const int row : rows)
            for (int x = 0; x < width_of_plane; ++x)
                expected += static_cast<char>(first + row * 10 + x);
    };
    for (const int first : {0, 100}) // The last row again, since chroma wants an even number of them.
        append(first, {0, 1, 2, 2}, odd_width);
    for (const int plane : {1, 2})
        for (const int first : {0, 100})
            append(first + plane * 50, {0, 1}, 3);
    EXPECT_EQ(read_file(folder / "fed.bin"), expected);
    const std::vector<std::string> words = vmaf_words(odd_width, odd_height, 2);
    EXPECT_NE(std::ranges::find(words, "5x8"), words.end()) << "two pictures of 4 rows";
    EXPECT_NE(std::ranges::find_if(
                  words, [](const std::string& word) { return word.find("crop=5:3:0:4:exact=1") != word.npos; }),
              words.end());
}

TEST_F(CompareCommand, VmafStandsBesideTheOtherFigures) {
    write_script(folder_, "echo '" + log_of({91, 92, 93, 94, 95, 96}) + "'");
    const FirstOnPath path(folder_.path());
    const Outcome outcome = run();
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    for (const Json& row : results()) {
        EXPECT_EQ(row.value("vmaf", 0.0), 93.5) << row["series"];
        EXPECT_EQ(row["provenance"].value("vmaf", ""), "ffmpeg version 0");
    }
    EXPECT_NE(read_file(folder_ / "out/results.md").find("BD-rate at equal VMAF"), std::string::npos);
    EXPECT_NE(read_file(folder_ / "out/results.csv").find(",93.5\n"), std::string::npos);
    ASSERT_EQ(run({"--no-vmaf"}, "without").code, 0);
    for (const Json& row : results("without"))
        EXPECT_FALSE(row.contains("vmaf"));
    EXPECT_EQ(read_file(folder_ / "without/results.md").find("VMAF"), std::string::npos);
    const Outcome later = run({}, "without");
    EXPECT_NE(later.errors.find("4 of them have no VMAF"), std::string::npos) << later.errors;
}

TEST_F(CompareCommand, AVmafThatFailsIsSaidAndCostsNoPoint) {
    for (const char* answer : {"echo 'no such model' >&2; exit 1", "kill -SEGV $$", "echo '{}'"}) {
        write_script(folder_, answer);
        const FirstOnPath path(folder_.path());
        const Outcome outcome = run({"--fresh", "--qps", "8", "--peers", "none"});
        EXPECT_EQ(outcome.code, 0) << answer << outcome.errors;
        EXPECT_NE(outcome.errors.find("VMAF is not measured: "), std::string::npos) << answer << outcome.errors;
        ASSERT_EQ(results().size(), 1u);
        EXPECT_FALSE(results()[0].contains("vmaf"));
        EXPECT_TRUE(results()[0].contains("psnr_y"));
    }
}

TEST_F(CompareCommand, TheRealVmafFallsWithTheQuantiser) {
    if (vmaf_maker().empty()) GTEST_SKIP() << "the ffmpeg command is missing or has no libvmaf";
    ASSERT_EQ(run({"--qps", "2,31", "--peers", "none"}).code, 0);
    const std::vector<Json> rows = results();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_GT(rows[0]["vmaf"], rows[1]["vmaf"].get<double>() + 5);
    EXPECT_GT(rows[0]["vmaf"], 90);
}

} // namespace
} // namespace tandem::test
