// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's libraries are loaded by the commands that use them, and by no other.
#include <gtest/gtest.h>

extern "C" {
#include <libavcodec/version.h>
#include <libavfilter/version.h>
#include <libavformat/version.h>
#include <libavutil/version.h>
#include <libswscale/version.h>
}

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/app/clips.h"
#include "tests/app/contains.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

/// While it lives, the commands that start find files in place of these libraries that are none.
class BrokenLibraries {
  public:
    explicit BrokenLibraries(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            write_file(folder_ / name, "no library\n");
        if (const char* before = std::getenv("LD_LIBRARY_PATH")) before_ = before;
        ::setenv("LD_LIBRARY_PATH", folder_.path().c_str(), 1);
    }
    ~BrokenLibraries() {
        if (before_)
            ::setenv("LD_LIBRARY_PATH", before_->c_str(), 1);
        else
            ::unsetenv("LD_LIBRARY_PATH");
    }
    BrokenLibraries(const BrokenLibraries&) = delete;
    BrokenLibraries& operator=(const BrokenLibraries&) = delete;

  private:
    TemporaryFolder folder_;
    std::optional<std::string> before_;
};

const std::string filter_library = "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR);
const std::vector<std::string> all_libraries = {
    "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR), "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR),
    "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR),
    filter_library};

struct LibavLoading : testing::Test {
    TemporaryFolder folder;
    std::string path = folder.path();

    void SetUp() override { write_file(path + "/in.y4m", y4m_clip(64, 48, 3)); }
};

TEST_F(LibavLoading, CommandsThatUseNoneOfItDoWithoutTheLibraries) {
    const BrokenLibraries broken(all_libraries);
    const std::vector<std::vector<std::string>> commands = {
        {"encode", "in.y4m", "-o", "out.m2v", "--psnr", "--ssim", "--recon", "recon.y4m"},
        {"encode", "in.y4m", "-o", "out.m1v", "--codec", "mpeg1", "--two-pass", "--bitrate", "200"},
        {"motion", "in.y4m", "-o", "out.tmf"},
        {"synth", "--size", "64x48", "--frames", "2", "-o", "out.y4m"},
        {"encode", "--help"}};
    for (const auto& command : commands) {
        const Outcome outcome = run_command(path, command);
        EXPECT_EQ(outcome.code, 0) << command[0] << ' ' << command[1] << ": " << outcome.errors;
    }
    EXPECT_GT(std::filesystem::file_size(path + "/out.m2v"), 0U);
}

TEST_F(LibavLoading, WhatNeedsThemSaysWhichIsMissingAndLeavesFilesAsTheyAre) {
    ASSERT_EQ(run_command(path, {"encode", "in.y4m", "-o", "in.mkv"}).code, 0);
    write_file(path + "/out.mkv", "precious");
    const BrokenLibraries broken(all_libraries);
    const auto before = snapshot_of(path);
    const std::vector<std::vector<std::string>> commands = {{"encode", "in.mkv", "-o", "out.m2v"},
                                                            {"encode", "in.y4m", "-o", "out.mkv"},
                                                            {"encode", "in.y4m", "-o", "new.ts"},
                                                            {"motion", "in.mkv", "-o", "out.tmf"},
                                                            {"encode", "in.y4m", "-o", "out.m2v", "--verify"}};
    for (const auto& command : commands) {
        const Outcome outcome = run_command(path, command);
        EXPECT_EQ(outcome.code, 2) << command[1];
        EXPECT_TRUE(contains(outcome.errors, "FFmpeg's libraries are needed and cannot be loaded")) << outcome.errors;
        EXPECT_TRUE(contains(outcome.errors, all_libraries[0])) << outcome.errors;
        EXPECT_EQ(snapshot_of(path), before);
    }
    const Outcome version = run_command(path, {"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(contains(version.output, "cannot be loaded")) << version.output;
}

TEST_F(LibavLoading, FiltersAloneNeedLibavfilter) {
    const BrokenLibraries broken({filter_library});
    EXPECT_EQ(run_command(path, {"encode", "in.y4m", "-o", "out.mkv"}).code, 0);
    EXPECT_EQ(run_command(path, {"encode", "out.mkv", "-o", "again.m2v"}).code, 0);
    const Outcome filtered = run_command(path, {"encode", "out.mkv", "-o", "filtered.m2v", "--filter", "hflip"});
    EXPECT_EQ(filtered.code, 2);
    EXPECT_TRUE(contains(filtered.errors, filter_library)) << filtered.errors;
}

} // namespace
} // namespace tandem::test
