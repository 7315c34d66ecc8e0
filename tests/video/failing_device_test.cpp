// SPDX-License-Identifier: BSD-2-Clause
// Files whose device fails in the middle: this program has a read() of its own, which FFmpeg's libraries call too, and
// a readv(), which our readers call.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "thrown_message.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace {

constexpr std::int64_t everything = std::numeric_limits<std::int64_t>::max();
/// Of regular files.
std::atomic<std::int64_t> readable_bytes{everything};

} // namespace

extern "C" ssize_t read(int descriptor, void* buffer, std::size_t size) {
    if (::lseek(descriptor, 0, SEEK_CUR) >= readable_bytes) {
        errno = EIO;
        return -1;
    }
    return ::syscall(SYS_read, descriptor, buffer, size);
}

extern "C" ssize_t readv(int descriptor, const iovec* pieces, int count) {
    std::int64_t end = ::lseek(descriptor, 0, SEEK_CUR);
    for (int i = 0; i < count; ++i)
        end += static_cast<std::int64_t>(pieces[i].iov_len);
    if (end > readable_bytes) {
        errno = EIO;
        return -1;
    }
    return ::syscall(SYS_readv, descriptor, pieces, count);
}

namespace tandem {
namespace {

class FailingDevice : public testing::Test {
  protected:
    void TearDown() override { readable_bytes = everything; }
    test::Scratch scratch_;
};

std::string failure_of_reading(const std::string& path) {
    readable_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path)) / 4 * 3;
    const std::string message = test::message_of<RunError>([&] {
        const auto source = open_source(path);
        while (source->read()) {
        }
    });
    readable_bytes = everything;
    return message;
}

TEST_F(FailingDevice, IsNoFaultOfTheFile) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    if (!test::have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    // A megabyte or so, of which more than the beginning can be read.
    const std::string make = "ffmpeg -v error -f lavfi -i testsrc2=s=704x576:r=25 -frames:v 10 -pix_fmt yuv420p "
                             "-c:v mpeg2video -q:v 1 -g 1 -movflags +faststart ";
    for (const char* name : {"x.mkv", "x.mp4", "x.avi", "x.ts", "x.m2v"}) {
        const std::string path = scratch_.path(name);
        const auto made = test::run(make + path);
        ASSERT_EQ(made.status, 0) << made.output;
        EXPECT_EQ(failure_of_reading(path), path + ": reading failed: Input/output error");
    }
}

TEST_F(FailingDevice, IsNoFaultOfAFileWhoseIndexIsAtTheEnd) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    if (!test::have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    const std::string path = scratch_.path("x.mp4");
    const auto made = test::run("ffmpeg -v error -f lavfi -i testsrc2=s=704x576:r=25 -frames:v 10 -pix_fmt yuv420p "
                                "-c:v mpeg2video -q:v 1 -g 1 " +
                                path);
    ASSERT_EQ(made.status, 0) << made.output;
    EXPECT_TRUE(failure_of_reading(path).starts_with(path));
}

TEST_F(FailingDevice, IsToldByOurOwnReadersToo) {
    const std::string path = scratch_.file("x_64x48.yuv", std::string(std::size_t{200} * 64 * 72, 'x'));
    EXPECT_EQ(failure_of_reading(path), path + ": reading failed: Input/output error");
}

} // namespace
} // namespace tandem
