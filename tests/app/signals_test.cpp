// SPDX-License-Identifier: BSD-2-Clause
// Signals that end a run at once, signals that are ignored, and a folder that vanishes meanwhile: what is left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

class Signals : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(::mkfifo((folder_ / "pipe.y4m").c_str(), 0600), 0);
        std::filesystem::create_directory(folder_ / "sub");
    }
    /// Starts coding what comes through the pipe and waits until some pictures are coded.
    void start() {
        command_.emplace(folder_.path(), std::vector<std::string>{"encode", "pipe.y4m", "-o", "sub/out.m2v", "--csv",
                                                                  "s.csv", "--report", "r.json", "--recon", "r.y4m",
                                                                  "--lookahead", "1", "--preset", "superfast", "-v"});
        writer_ = ::open((folder_ / "pipe.y4m").c_str(), O_WRONLY | O_CLOEXEC);
        ASSERT_GE(writer_, 0);
        const std::string clip = y4m_clip(64, 48, 6);
        ASSERT_EQ(::write(writer_, clip.data(), clip.size()), static_cast<ssize_t>(clip.size()));
        ASSERT_TRUE(command_->says("picture 3 "));
    }
    /// Ends the input.
    Outcome wait() {
        ::close(std::exchange(writer_, -1));
        return command_->wait();
    }
    int unfinished_files() const {
        int count = 0;
        for (const auto& [name, contents] : snapshot_of(folder_.path()))
            count += name.find(".tandem-") != std::string::npos ? 1 : 0;
        return count;
    }
    void TearDown() override {
        if (writer_ >= 0) ::close(writer_);
    }
    TemporaryFolder folder_;
    std::optional<Command> command_;
    int writer_ = -1;
};

TEST_F(Signals, ThoseThatEndAProgramLeaveNoUnfinishedFile) {
    for (const int signal : {SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGABRT}) {
        start();
        EXPECT_EQ(unfinished_files(), 4) << "the test would see nothing";
        command_->signal(signal);
        EXPECT_EQ(command_->wait().code, -signal);
        EXPECT_EQ(unfinished_files(), 0) << signal;
        ::close(std::exchange(writer_, -1));
    }
}

TEST_F(Signals, ASecondInterruptLeavesNoUnfinishedFile) {
    start();
    command_->signal(SIGTERM);
    command_->signal(SIGINT);
    const int code = command_->wait().code;
    EXPECT_TRUE(code == -SIGINT || code == -SIGTERM || code == 130) << code;
    EXPECT_EQ(unfinished_files(), 0);
}

TEST_F(Signals, WhatTheParentIgnoresStaysIgnored) {
    for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1}) {
        const auto before = std::signal(signal, SIG_IGN);
        start();
        std::signal(signal, before);
        command_->signal(signal);
        EXPECT_EQ(wait().code, 0) << signal;
    }
}

int picture_starts_in(const std::string& stream) {
    const std::string start("\0\0\1\0", 4);
    int count = 0;
    for (std::size_t at = stream.find(start); at != std::string::npos; at = stream.find(start, at + 1))
        ++count;
    return count;
}

TEST_F(Signals, AnInterruptIsHeardInALongSearch) {
    // Noise, of which no position can be excluded: a search takes from half a second to minutes a picture. There are
    // more pictures than are in flight at a time, so that some are left when the signal comes.
    constexpr int all_pictures = 40;
    std::string clip = "YUV4MPEG2 W352 H288 F25:1\n";
    std::mt19937 random(1);
    for (int picture = 0; picture < all_pictures; ++picture) {
        clip += "FRAME\n";
        for (int i = 0; i < 352 * 288 * 3 / 2; ++i)
            clip += static_cast<char>(random());
    }
    write_file(folder_ / "clip.y4m", clip);
    for (const std::vector<std::string>& search :
         {std::vector<std::string>{"--me", "full", "--merange", "1023", "--metric", "satd", "--grid", "2"},
          {"--me", "poc", "--phase-window", "256", "--phase-layers", "2"}}) {
        std::vector<std::string> words{"encode", "clip.y4m", "-o",       "out.m2v",  "--threads",
                                       "1",      "-v",       "--preset", "superfast"};
        words.insert(words.end(), search.begin(), search.end());
        Command command(folder_.path(), words);
        ASSERT_TRUE(command.says("picture 0 "));
        command.signal(SIGINT);
        const Outcome outcome = command.wait();
        EXPECT_EQ(outcome.code, 130) << outcome.errors;
        const std::string stream = read_file(folder_ / "out.m2v");
        EXPECT_LT(picture_starts_in(stream), all_pictures) << "all pictures were searched";
        EXPECT_GE(picture_starts_in(stream), 1);
        EXPECT_EQ(stream.substr(stream.size() - 4), std::string("\0\0\1\xB7", 4));
    }
}

TEST_F(Signals, AVanishedFolderTakesAllOutputsWithIt) {
    for (const char* name : {"s.csv", "r.json", "r.y4m"})
        write_file(folder_ / name, "before");
    start();
    std::filesystem::remove_all(folder_ / "sub");
    const Outcome outcome = wait();
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("sub/out.m2v"), std::string::npos) << outcome.errors;
    for (const char* name : {"s.csv", "r.json", "r.y4m"})
        EXPECT_EQ(read_file(folder_ / name), "before") << name;
    EXPECT_EQ(unfinished_files(), 0);
}

} // namespace
} // namespace tandem::test
