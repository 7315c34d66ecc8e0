// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's libraries without the memory that they ask for.
#include <gtest/gtest.h>

#include <limits>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "tests/video/thrown_message.h"
#include "video/source.h"

extern "C" {
#include <libavutil/mem.h>
}

namespace tandem {
namespace {

/// While it lives no piece is larger.
class LargestPiece {
  public:
    explicit LargestPiece(std::size_t bytes) { av_max_alloc(bytes); }
    ~LargestPiece() { av_max_alloc(std::numeric_limits<int>::max()); }
    LargestPiece(const LargestPiece&) = delete;
    LargestPiece& operator=(const LargestPiece&) = delete;
};

TEST(LibavMemory, ThatIsMissingIsNoFaultOfTheFile) {
    if (!test::have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    const test::Scratch scratch;
    const std::string path = scratch.path("x.mkv");
    const auto made =
        test::run("ffmpeg -v error -f lavfi -i testsrc2=s=352x288 -frames:v 4 -pix_fmt yuv420p -c:v ffv1 " + path);
    ASSERT_EQ(made.status, 0) << made.output;
    const auto failure_below = [&](std::size_t bytes) {
        const LargestPiece limit(bytes);
        return test::message_of<RunError>([&] { open_source(path); });
    };
    EXPECT_NE(failure_below(4096).find("Cannot allocate memory"), std::string::npos) << "to open it";
    // Nor are pictures left out, as those before the first entry point are.
    EXPECT_NE(failure_below(90000).find("Cannot allocate memory"), std::string::npos) << "for a picture";
}

} // namespace
} // namespace tandem
