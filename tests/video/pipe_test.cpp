// SPDX-License-Identifier: BSD-2-Clause
// Sources that cannot seek: a pipe under a name of its own, and standard input.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/source.h"

namespace tandem {
namespace {

/// A pipe that a thread writes bytes into, in small parts so that every read comes up short somewhere.
class Feeder {
  public:
    explicit Feeder(std::string bytes, bool keep_open = false) {
        int ends[2];
        if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
        read_end_ = ends[0];
        write_end_ = ends[1];
        thread_ = std::thread([this, bytes = std::move(bytes), keep_open] {
            std::size_t at = 0;
            for (std::size_t part = 1; at < bytes.size(); part = part % 977 + 13) {
                const ssize_t wrote = ::write(write_end_, bytes.data() + at, std::min(part, bytes.size() - at));
                if (wrote <= 0) return;
                at += static_cast<std::size_t>(wrote);
            }
            if (!keep_open) ::close(std::exchange(write_end_, -1));
        });
    }
    ~Feeder() {
        thread_.join();
        if (write_end_ >= 0) ::close(write_end_);
        ::close(read_end_);
    }
    Feeder(const Feeder&) = delete;
    Feeder& operator=(const Feeder&) = delete;

    int read_end() const { return read_end_; }
    std::string name() const { return "/proc/self/fd/" + std::to_string(read_end_); }

  private:
    int read_end_ = -1, write_end_ = -1;
    std::thread thread_;
};

/// Puts a descriptor in the place of standard input while it lives.
class AsStandardInput {
  public:
    explicit AsStandardInput(int descriptor) : saved_(::dup(STDIN_FILENO)) { ::dup2(descriptor, STDIN_FILENO); }
    ~AsStandardInput() {
        ::dup2(saved_, STDIN_FILENO);
        ::close(saved_);
    }
    AsStandardInput(const AsStandardInput&) = delete;
    AsStandardInput& operator=(const AsStandardInput&) = delete;

  private:
    int saved_;
};

std::string two_frames(const Frame& first, const Frame& second) {
    const std::string header =
        "YUV4MPEG2 W" + std::to_string(first.width()) + " H" + std::to_string(first.height()) + " F25:1\n";
    return header + "FRAME\n" + test::planes_of(first) + "FRAME\n" + test::planes_of(second);
}

void expect_two(FrameSource& source, const Frame& first, const Frame& second) {
    const auto one = source.read(), two = source.read();
    ASSERT_TRUE(one && two);
    EXPECT_TRUE(test::equal(*one, first));
    EXPECT_TRUE(test::equal(*two, second));
    EXPECT_FALSE(source.read());
}

TEST(PipeSource, Y4mUnderAnyName) {
    const auto first = test::random_frame(63, 41, 1), second = test::random_frame(63, 41, 2);
    const Feeder feeder(two_frames(*first, *second));
    const auto source = open_source(feeder.name());
    EXPECT_FALSE(source->frame_count());
    expect_two(*source, *first, *second);
}

TEST(PipeSource, StandardInputAsY4m) {
    const auto first = test::random_frame(63, 41, 1), second = test::random_frame(63, 41, 2);
    const Feeder feeder(two_frames(*first, *second));
    const AsStandardInput redirected(feeder.read_end());
    expect_two(*open_source("-"), *first, *second);
}

TEST(PipeSource, StandardInputAsRaw) {
    const auto first = test::random_frame(63, 41, 1), second = test::random_frame(63, 41, 2);
    const Feeder feeder(test::planes_of(*first) + test::planes_of(*second));
    const AsStandardInput redirected(feeder.read_end());
    SourceOptions options;
    options.input_res = {63, 41};
    expect_two(*open_source("-", options), *first, *second);
}

void expect_refused(const std::string& bytes, const SourceOptions& options, const std::string& words) {
    const Feeder feeder(bytes);
    const AsStandardInput redirected(feeder.read_end());
    try {
        const auto source = open_source("-", options);
        while (source->read()) {
        }
        FAIL() << "accepted instead of: " << words;
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with("standard input: ")) << message;
        EXPECT_NE(message.find(words), std::string::npos) << message;
    }
}

TEST(PipeSource, StandardInputRefusals) {
    SourceOptions size;
    size.input_res = {4, 4};
    expect_refused("", {}, "nothing to read");
    expect_refused("", size, "nothing to read");
    expect_refused("YUV4", {}, "need their size");
    expect_refused(std::string(24, 'x'), {}, "need their size");
    expect_refused("YUV4MPEG2 W4 H4 F25:1\nFRAME\n" + std::string(24, 'x'), size, "states its own picture size");
    expect_refused(std::string(40, 'x'), size, "cut off in frame 2: 8 of its 24 bytes");
    expect_refused("YUV4MPEG2 W4 H4 F25:1\nFRAME\n" + std::string(20, 'x'), {},
                   "cut off in frame 1: 4 of its 24 bytes");
    expect_refused("RIFF" + std::string(44, 'x'), size, "RIFF");
}

TEST(PipeSource, StopEndsTheWaitForAPipeThatSaysNothing) {
    const auto first = test::random_frame(16, 16, 1), second = test::random_frame(16, 16, 2);
    const std::string all = two_frames(*first, *second);
    for (const std::size_t missing : {std::size_t{10}, test::planes_of(*second).size() + 3}) {
        const Feeder feeder(all.substr(0, all.size() - missing), true);
        std::atomic<bool> stop{false};
        SourceOptions options;
        options.stop = &stop;
        const auto source = open_source(feeder.name(), options);
        const auto frame = source->read();
        ASSERT_TRUE(frame);
        EXPECT_TRUE(test::equal(*frame, *first));
        std::thread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop = true;
        });
        EXPECT_FALSE(source->read()) << "the unfinished picture is no picture";
        later.join();
    }
}

/// As a shell leaves it that has read a line of its own.
TEST(StandardInput, OfAFileReadInPartTheRestCounts) {
    const test::Scratch scratch;
    const int file = ::open(scratch.file("x", "one\ntwo!\n").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::lseek(file, 4, SEEK_SET), 4);
    const AsStandardInput input(file);
    ::close(file);
    ByteReader reader("-");
    EXPECT_EQ(reader.size(), 5u);
    const std::vector<std::uint8_t> ending = reader.ending(3);
    EXPECT_EQ(std::string(ending.begin(), ending.end()), "o!\n");
    EXPECT_EQ(reader.read_line(10).text, "two!");
}

} // namespace
} // namespace tandem
