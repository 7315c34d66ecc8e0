// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are no files: pipes, with readers and without, and standard output.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "files/atomic_file.h"
#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "thrown_message.h"

namespace tandem {
namespace {

TEST(OutputPipe, WritesIntoAFifo) {
    const test::Scratch scratch;
    const std::string path = scratch.path("fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { received = test::contents(path); });
    AtomicFile file(path);
    file.write("through the pipe");
    file.finish();
    reader.join();
    EXPECT_EQ(received, "through the pipe");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"fifo"});
}

/// Bytes: more than a pipe holds, which is 16 pages, of 64 KiB on some machines.
constexpr std::size_t beyond_a_pipe = std::size_t{1} << 22;

std::atomic<bool> told_to_stop{false};

/// Until the end of the test.
class ToldToStop {
  public:
    ToldToStop() { stop_outputs_on(told_to_stop); }
    ~ToldToStop() {
        if (thread_.joinable()) thread_.join();
        told_to_stop = false;
    }
    void soon() {
        thread_ = std::thread([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            told_to_stop = true;
        });
    }

  private:
    std::thread thread_;
};

TEST(OutputPipe, WaitsForAFifosReaderUntilItIsToldToStop) {
    const test::Scratch scratch;
    const std::string path = scratch.path("fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    ToldToStop told;
    told.soon();
    EXPECT_NE(test::message_of<Interrupted>([&] { AtomicFile file(path); }).find("fifo: nobody reads it"),
              std::string::npos);
}

TEST(OutputPipe, AReaderThatTakesNothingIsWaitedForNoLonger) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ToldToStop told;
    AtomicFile file("/proc/self/fd/" + std::to_string(ends[1]));
    told.soon();
    const std::string much(beyond_a_pipe, 'x');
    EXPECT_NE(test::message_of<Interrupted>([&] { file.write(much); }).find("takes nothing"), std::string::npos);
    EXPECT_THROW(file.finish(), Interrupted) << "and so it is from then on";
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(OutputPipe, AStandardOutputThatDoesNotBlockIsWaitedFor) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
    const int saved = ::dup(STDOUT_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[1]);
    const std::string much(beyond_a_pipe, 'x');
    std::size_t received = 0;
    std::thread reader([&] {
        std::array<char, 10000> part{};
        while (received < much.size()) {
            const ssize_t count = ::read(ends[0], part.data(), part.size());
            if (count == 0) break;
            if (count > 0) received += static_cast<std::size_t>(count);
        }
    });
    EXPECT_NO_THROW({
        AtomicFile file("-");
        file.write(much);
        file.finish();
    });
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    reader.join();
    ::close(ends[0]);
    EXPECT_EQ(received, much.size());
}

TEST(OutputPipe, AClosedPipeIsARunError) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    const auto handler = std::signal(SIGPIPE, SIG_IGN);
    {
        AtomicFile file("/proc/self/fd/" + std::to_string(ends[1]));
        file.write("x");
        EXPECT_NE(test::message_of<RunError>([&] { file.finish(); }).find("Broken pipe"), std::string::npos);
    }
    std::signal(SIGPIPE, handler);
    ::close(ends[1]);
}

TEST(OutputPipe, DashIsStandardOutput) {
    const test::Scratch scratch;
    const int saved = ::dup(STDOUT_FILENO);
    const int out = ::open(scratch.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    {
        AtomicFile file("-");
        file.write("bytes");
        file.finish();
    }
    EXPECT_EQ(::write(STDOUT_FILENO, "+", 1), 1) << "standard output stays open";
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    ::close(out);
    EXPECT_EQ(test::contents(scratch.path("out")), "bytes+");
}

} // namespace
} // namespace tandem
