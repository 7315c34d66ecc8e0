// SPDX-License-Identifier: BSD-2-Clause
// `tandem encode` on real GPUs: the CPU's stream, byte for byte, also when a device fails in mid-stream.
#include <sstream>

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "app/command_table.h"
#include "app/encode/encode.h"
#include "app/options/arguments.h"
#include "cuda/device/check.h"
#include "machine/errors.h"
#include "me/search.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

using cuda::Fault;
using Words = std::vector<std::string>;

class GpuCommand : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (IsSkipped()) return;
        write_file(folder_ / "clip.y4m", y4m_clip(208, 176, 12));
        auto logger =
            std::make_shared<spdlog::logger>("tandem", std::make_shared<spdlog::sinks::ostream_sink_mt>(messages_));
        logger->set_level(spdlog::level::warn);
        spdlog::set_default_logger(std::move(logger));
    }

    /// In this process, so that a fault can be injected. The messages() are its own.
    std::string encode(const Words& options) {
        Words words{folder_ / "clip.y4m", "-o", folder_ / "made.m2v"};
        words.insert(words.end(), options.begin(), options.end());
        messages_.str("");
        EXPECT_EQ(run_encode(Arguments(*find_command("encode"), words)), 0);
        return read_file(folder_ / "made.m2v");
    }
    std::string messages() const { return messages_.str(); }
    std::size_t count_of(const std::string& words) const {
        const std::string all = messages();
        std::size_t count = 0;
        for (std::size_t at = all.find(words); at != std::string::npos; at = all.find(words, at + 1))
            ++count;
        return count;
    }

  private:
    TemporaryFolder folder_;
    std::ostringstream messages_;
};

TEST_F(GpuCommand, EverySearchGivesTheStreamOfTheCpu) {
    for (const SearchRow& row : search_table()) {
        if (row.from_hint) continue;                     // The encoder has no hint to give.
        if (row.algorithm == Algorithm::phase) continue; // Its fields may differ a little: see DevicePhaseTest.
        for (const char* split : {"pictures", "bands"}) {
            const Words base{"--me", std::string(row.name), "--merange", "24", "--bframes", "1", "--split",
                             split,  "--me-start",          "zero"};
            const auto on = [&](const char* device) {
                Words words = base;
                words.insert(words.end(), {"--device", device});
                return encode(words);
            };
            const std::string expected = on("cpu");
            EXPECT_TRUE(on("gpu") == expected) << row.name << " " << split;
            EXPECT_TRUE(on("cpu+gpu") == expected) << row.name << " " << split;
            EXPECT_EQ(messages(), "");
        }
    }
}

TEST_F(GpuCommand, ASearchWithItsOwnParametersGivesTheStreamOfTheCpu) {
    for (const Words& search : {Words{"--me", "full", "--grid", "2"},
                                {"--me", "full", "--metric", "ssd", "--me-reference", "recon"},
                                {"--me", "tss", "--metric", "ssd", "--first-step", "6"},
                                {"--me", "log", "--step-sequence", "halving", "--metric", "satd"},
                                {"--me", "smpuhex", "--passes", "3", "--smpuhex-converged", "200"},
                                {"--me", "hier", "--levels", "2", "--level-candidates", "2"}}) {
        Words gpu = search, cpu = search;
        gpu.insert(gpu.end(), {"--me-start", "zero"});
        cpu.insert(cpu.end(), {"--me-start", "zero"});
        gpu.insert(gpu.end(), {"--device", "gpu"});
        cpu.insert(cpu.end(), {"--device", "cpu"});
        EXPECT_TRUE(encode(gpu) == encode(cpu)) << testing::PrintToString(search);
    }
}

TEST_F(GpuCommand, SearchesThatBeginAtPredictorsGiveTheStreamOfTheCpuAndNoWarning) {
    for (const Words& search : {Words{},
                                {"--merange", "20", "--metric", "satd"},
                                {"--me-reference", "recon"},
                                {"--bframes", "2", "--split", "bands"},
                                {"--me", "hexagon"},
                                {"--me", "log", "--metric", "ssd"},
                                {"--me", "smpuhex", "--passes", "3", "--split", "bands"}}) {
        Words gpu = search, cpu = search;
        gpu.insert(gpu.end(), {"--device", "gpu"});
        cpu.insert(cpu.end(), {"--device", "cpu"});
        EXPECT_TRUE(encode(gpu) == encode(cpu)) << testing::PrintToString(search);
        EXPECT_EQ(messages(), "") << testing::PrintToString(search);
    }
}

TEST_F(GpuCommand, ClosedLoopGivesTheStreamOfTheCpu) {
    const Words base{"--me", "full", "--me-reference", "recon", "--candidates", "2", "--null-threshold", "300"};
    Words gpu = base, cpu = base;
    gpu.insert(gpu.end(), {"--device", "gpu", "--verify-gpu"});
    cpu.insert(cpu.end(), {"--device", "cpu"});
    EXPECT_TRUE(encode(gpu) == encode(cpu));
}

TEST_F(GpuCommand, ADeviceThatFailsInMidStreamIsAWarningOfEachUseAndTheSameStream) {
    const std::string expected = encode({"--me", "full", "--device", "cpu", "--bframes", "2"});
    for (const Fault fault : {Fault::allocation, Fault::launch, Fault::wait}) {
        for (const int calls : {1, 5, 20, 60}) { // Some while it gets ready, some while it works.
            cuda::inject_fault(fault, calls);
            std::string made;
            try {
                made = encode({"--me", "full", "--device", "auto", "--bframes", "2"});
            } catch (const RunError& error) {
                ADD_FAILURE() << error.what();
            }
            cuda::inject_fault(Fault::none);
            EXPECT_TRUE(made == expected) << static_cast<int>(fault) << " after " << calls;
            const std::size_t warnings = count_of("[warning]");
            EXPECT_LE(count_of("motion estimation goes on without it"), devices().size()) << messages();
            EXPECT_LE(count_of("no longer codes pictures") + count_of("pictures are coded on the CPU"), 1u)
                << messages();
            EXPECT_LE(count_of("no longer measures macroblocks") + count_of("pictures are looked at ahead on the CPU"),
                      1u)
                << messages();
            EXPECT_LE(count_of("no longer filters pictures") + count_of("pictures are filtered on the CPU"), 1u)
                << messages();
            EXPECT_LE(warnings, devices().size() + 3) << messages();
            // Allocations may all be made before the fault comes; launches and waits go on to the end.
            if (fault == Fault::launch || (fault == Fault::wait && calls <= 20)) {
                EXPECT_GE(warnings, 1u);
            }
        }
    }
}

TEST_F(GpuCommand, WorksOnAfterTheFaultIsGone) {
    const std::string expected = encode({"--me", "full", "--device", "cpu"});
    EXPECT_TRUE(encode({"--me", "full", "--device", "gpu"}) == expected);
    EXPECT_EQ(messages(), "");
}

} // namespace
} // namespace tandem::test
