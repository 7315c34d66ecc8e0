// SPDX-License-Identifier: BSD-2-Clause
// Signals and pipes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem::test {
namespace {

constexpr int clip_width = 64, clip_height = 48;

class Interrupt : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(::mkfifo((folder_ / "pipe.y4m").c_str(), 0600), 0); }
    /// Starts reading the pipe; the writer's end is open when this returns.
    void start(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"encode",      "pipe.y4m", "-o",    "out.m2v", "--preset", "superfast",
                                       "--lookahead", "1",        "--csv", "s.csv",   "-v"};
        words.insert(words.end(), more.begin(), more.end());
        command_.emplace(folder_.path(), words);
        writer_ = ::open((folder_ / "pipe.y4m").c_str(), O_WRONLY | O_CLOEXEC);
        ASSERT_GE(writer_, 0);
    }
    void send(const std::string& bytes) const {
        ASSERT_EQ(::write(writer_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    /// Of an output that is opened and not read.
    int open_idle_reader() const {
        EXPECT_EQ(::mkfifo((folder_ / "out.m2v").c_str(), 0600), 0);
        return ::open((folder_ / "out.m2v").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    /// After open_idle_reader(): without room for its stream the program does not end at once by itself.
    void fill_output() const {
        const int writer = ::open((folder_ / "out.m2v").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        const std::string much(std::size_t{1} << 16, 'x');
        while (::write(writer, much.data(), much.size()) > 0) {
        }
        ::close(writer);
    }
    void TearDown() override {
        if (writer_ >= 0) ::close(writer_);
    }
    TemporaryFolder folder_;
    std::optional<Command> command_;
    int writer_ = -1;
};

int decoded_pictures(const std::string& stream) {
    int count = 0;
    const auto decoder = make_stream_decoder(Codec::mpeg2, [&](const Frame&) { ++count; });
    decoder->push({reinterpret_cast<const std::uint8_t*>(stream.data()), stream.size()});
    decoder->finish();
    return count;
}

TEST_F(Interrupt, EndsTheStreamWithWhatHasCome) {
    write_file(folder_ / "out.m2v", "before");
    start();
    const std::string clip = y4m_clip(clip_width, clip_height, 6);
    send(clip.substr(0, clip.size() - 50)); // five whole pictures and most of the sixth
    // With a lookahead of one, picture 3 is coded when picture 4 has come.
    ASSERT_TRUE(command_->says("picture 3 "));
    EXPECT_EQ(read_file(folder_ / "out.m2v"), "before");
    command_->signal(SIGINT);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    EXPECT_NE(outcome.errors.find("interrupted"), std::string::npos);
    const std::string stream = read_file(folder_ / "out.m2v");
    EXPECT_EQ(stream.substr(stream.size() - 4), std::string("\0\0\1\xB7", 4));
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to decode with";
    EXPECT_EQ(decoded_pictures(stream), 5);
}

TEST_F(Interrupt, PicturesThatWaitAheadAreNotAllCodedWhereThatTakesLong) {
    constexpr int pictures = 50; // With one thread they take many times the second that is waited for them.
    write_file(folder_ / "large.y4m", y4m_clip(1280, 704, pictures));
    Command command(folder_.path(), {"encode", "large.y4m", "-o", "out.m2v", "--preset", "placebo", "--threads", "1",
                                     "--me", "full", "--merange", "96", "--metric", "satd", "-v"});
    ASSERT_TRUE(command.says("picture 0 "));
    command.signal(SIGINT);
    const Outcome outcome = command.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to decode with";
    const int coded = decoded_pictures(read_file(folder_ / "out.m2v"));
    EXPECT_GE(coded, 1);
    EXPECT_LT(coded, 30) << "all that was read was coded";
}

TEST_F(Interrupt, TerminationIsAnInterruptToo) {
    start({"--bframes", "2"});
    send(y4m_clip(clip_width, clip_height, 7));
    // In coding order 0 3 1 2 6 4 5.
    ASSERT_TRUE(command_->says("picture 4 "));
    command_->signal(SIGTERM);
    EXPECT_EQ(command_->wait().code, 130);
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to decode with";
    EXPECT_EQ(decoded_pictures(read_file(folder_ / "out.m2v")), 7);
}

TEST_F(Interrupt, AClosedTerminalIsAnInterruptToo) {
    start();
    send(y4m_clip(clip_width, clip_height, 6));
    ASSERT_TRUE(command_->says("picture 3 "));
    // The shell says so, and the system once more.
    command_->signal(SIGHUP);
    command_->signal(SIGHUP);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 128 + SIGHUP) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()).size(), 3u) << "more than the pipe, the stream and the table is left";
    const std::string stream = read_file(folder_ / "out.m2v");
    EXPECT_EQ(stream.substr(stream.size() - 4), std::string("\0\0\1\xB7", 4));
}

TEST_F(Interrupt, AClosedTerminalIsNothingToWhoIgnoresIt) {
    const auto before = std::signal(SIGHUP, SIG_IGN); // as nohup does; the command inherits it
    start();
    std::signal(SIGHUP, before);
    send(y4m_clip(clip_width, clip_height, 6));
    ASSERT_TRUE(command_->says("picture 3 "));
    command_->signal(SIGHUP);
    ::close(std::exchange(writer_, -1));
    EXPECT_EQ(command_->wait().code, 0);
}

TEST_F(Interrupt, BeforeTheFirstPictureLeavesNothing) {
    start();
    send("YUV4MPEG2 W64 H48 F25:1\n");
    ASSERT_TRUE(command_->says("reading pipe.y4m"));
    const auto before = snapshot_of(folder_.path());
    command_->signal(SIGINT);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    EXPECT_NE(outcome.errors.find("nothing is written"), std::string::npos) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(Interrupt, WhileNobodyHasOpenedThePipe) {
    command_.emplace(folder_.path(), std::vector<std::string>{"encode", "pipe.y4m", "-o", "out.m2v", "-v"});
    ASSERT_TRUE(command_->says("reading pipe.y4m"));
    command_->signal(SIGINT);
    EXPECT_EQ(command_->wait().code, 130);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.m2v"));
}

TEST_F(Interrupt, ASecondOfAnyKindEndsTheProgram) {
    const int reader = open_idle_reader();
    fill_output();
    start({"--qp", "1"});
    send(y4m_clip(clip_width, clip_height, 6));
    ASSERT_TRUE(command_->says("picture 3 "));
    command_->signal(SIGTERM);
    command_->signal(SIGINT);
    const int code = command_->wait().code;
    EXPECT_TRUE(code == -SIGINT || code == -SIGTERM) << code << "; two that wait come in either order";
    ::close(reader);
}

TEST_F(Interrupt, TheSameAtOnceIsNoSecond) {
    const int reader = open_idle_reader();
    fill_output();
    start({"--qp", "1"});
    send(y4m_clip(clip_width, clip_height, 6));
    ASSERT_TRUE(command_->says("picture 3 "));
    for (const int signal : {SIGTERM, SIGTERM, SIGINT}) {
        command_->signal(signal);
        ::usleep(50'000); // Or what waits might come in another order.
    }
    EXPECT_EQ(command_->wait().code, -SIGINT);
    ::close(reader);
}

TEST_F(Interrupt, WhileNobodyReadsTheOutput) {
    write_file(folder_ / "clip.y4m", y4m_clip(clip_width, clip_height, 3));
    const auto before = snapshot_of(folder_.path());
    command_.emplace(folder_.path(), std::vector<std::string>{"encode", "clip.y4m", "-o", "pipe.y4m", "-v"});
    ASSERT_TRUE(command_->says("reading clip.y4m"));
    command_->signal(SIGTERM);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(Interrupt, WhileNobodyReadsTheTable) {
    write_file(folder_ / "clip.y4m", y4m_clip(clip_width, clip_height, 3));
    const int reader = open_idle_reader();
    fill_output();
    const std::size_t before = snapshot_of(folder_.path()).size();
    command_.emplace(folder_.path(), std::vector<std::string>{"motion", "clip.y4m", "--stats", "s.csv"},
                     Streams{"", folder_ / "out.m2v", ""});
    while (snapshot_of(folder_.path()).size() == before) // Its files are opened before the first line is printed.
        ::usleep(10000);
    command_->signal(SIGINT);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    EXPECT_NE(read_file(folder_ / "s.csv").find("\nall,"), std::string::npos);
    ::close(reader);
}

TEST_F(Interrupt, ALimitOfProcessorTimeIsAnInterruptToo) {
    const int reader = open_idle_reader();
    start({"--qp", "1"});
    send(y4m_clip(clip_width, clip_height, 4));
    ASSERT_TRUE(command_->says("picture 2 "));
    // The system says it again for each second of processor time.
    for (int i = 0; i < 3; ++i) {
        command_->signal(SIGXCPU);
        ::usleep(600'000);
    }
    EXPECT_EQ(command_->wait().code, 130);
    ::close(reader);
}

TEST_F(Interrupt, WhileAFieldDoesNotCome) {
    write_file(folder_ / "clip.y4m", y4m_clip(clip_width, clip_height, 6));
    for (const auto& [option, name] : {std::pair{"--truth", "t.tmf"}, {"--compare", "c.npy"}, {"--hint", "h.flo"}}) {
        ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
        std::vector<std::string> words{"motion", "clip.y4m", option, name, "-o", "out.tmf", "-v"};
        if (std::string(option) == "--hint") words.insert(words.end(), {"--predictor", "hint"});
        const auto before = snapshot_of(folder_.path());
        command_.emplace(folder_.path(), words);
        ASSERT_TRUE(command_->says("reading clip.y4m"));
        command_->signal(SIGINT);
        EXPECT_EQ(command_->wait().code, 130) << option;
        EXPECT_EQ(snapshot_of(folder_.path()), before) << option;
    }
}

TEST_F(Interrupt, ASceneIsWholeOrAbsent) {
    Command synth(folder_.path(), {"synth", "--frames", "100000", "-o", "s.y4m", "-v"});
    ASSERT_TRUE(synth.says("drawing"));
    synth.signal(SIGINT);
    EXPECT_EQ(synth.wait().code, 130);
    EXPECT_EQ(snapshot_of(folder_.path()).size(), 1u) << "more than the pipe is left";
}

TEST_F(Interrupt, EndsTheProgramsThatABenchRuns) {
    write_file(folder_ / "clip.y4m", y4m_clip(clip_width, clip_height, 4));
    write_file(folder_ / "ffmpeg", "#!/bin/sh\necho $$ > started\nexec sleep 600\n");
    std::filesystem::permissions(folder_ / "ffmpeg", std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    ASSERT_EQ(::setenv("PATH", (folder_.path() + ":" + path).c_str(), 1), 0);
    Command bench(folder_.path(), {"bench", "motion", "clip.y4m", "--range", "4", "--peers", "--report", "r.json"});
    ASSERT_EQ(::setenv("PATH", path.c_str(), 1), 0);
    const auto has_started = [&] {
        return std::filesystem::exists(folder_ / "started") && !read_file(folder_ / "started").empty();
    };
    while (!has_started())
        ::usleep(10000);
    bench.signal(SIGINT);
    EXPECT_EQ(bench.wait().code, 130);
    EXPECT_NE(::kill(std::stoi(read_file(folder_ / "started")), 0), 0) << "the program still runs";
    EXPECT_FALSE(std::filesystem::exists(folder_ / "r.json"));
}

TEST_F(Interrupt, ACutStreamWithoutInterruptIsAnError) {
    write_file(folder_ / "out.m2v", "before");
    start();
    const std::string clip = y4m_clip(clip_width, clip_height, 3);
    send(clip.substr(0, clip.size() - 50));
    ::close(std::exchange(writer_, -1));
    EXPECT_EQ(command_->wait().code, 2);
    EXPECT_EQ(read_file(folder_ / "out.m2v"), "before");
}

/// A terminal of its own: what is written to name() can be read here.
class Terminal {
  public:
    Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
        if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
        name_ = ::ptsname(master_);
        keep_open_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    ~Terminal() {
        if (keep_open_ >= 0) ::close(keep_open_);
        if (master_ >= 0) ::close(master_);
    }
    const std::string& name() const { return name_; }
    std::string shown() const {
        std::string text(65536, '\0');
        const ssize_t count = ::read(master_, text.data(), text.size());
        text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return text;
    }

  private:
    int master_, keep_open_ = -1;
    std::string name_;
};

TEST(Progress, IsShownOnATerminal) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(64, 48, 4));
    const Terminal terminal;
    if (terminal.name().empty()) GTEST_SKIP() << "this system gives no pseudo-terminal";
    const std::vector<std::string> words{"encode", "clip.y4m", "-o", "out.m2v", "--frames", "3"};
    ASSERT_EQ(run_command(folder.path(), words, {"", "", terminal.name()}).code, 0);
    const std::string shown = terminal.shown();
    EXPECT_NE(shown.find("\r1/3 frames"), std::string::npos) << shown;
    EXPECT_NE(shown.find("kbit/s"), std::string::npos) << shown;
    EXPECT_NE(shown.find("out.m2v: 3 frames"), std::string::npos) << shown;
}

/// On a terminal that goes away, as the system tells it.
TEST_F(Interrupt, ATableForAClosedTerminalIsNoFailure) {
    std::optional<Terminal> terminal(std::in_place);
    if (terminal->name().empty()) GTEST_SKIP() << "this system gives no pseudo-terminal";
    command_.emplace(folder_.path(), std::vector<std::string>{"motion", "pipe.y4m", "--stats", "s.csv", "-v"},
                     Streams{"", terminal->name(), ""});
    writer_ = ::open((folder_ / "pipe.y4m").c_str(), O_WRONLY | O_CLOEXEC);
    send(y4m_clip(clip_width, clip_height, 6));
    ASSERT_TRUE(command_->says("picture 2 searched"));
    terminal.reset();
    command_->signal(SIGHUP);
    const Outcome outcome = command_->wait();
    EXPECT_EQ(outcome.code, 128 + SIGHUP) << outcome.errors;
    EXPECT_NE(read_file(folder_ / "s.csv").find("\nall,"), std::string::npos);
}

TEST(ClosedPipe, IsAFailedWriteAndNoSignal) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(352, 288, 8));
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    // The reader's end is opened first, so that the command's open does not wait, and closed before anything is read.
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    Command command(folder.path(), {"encode", "clip.y4m", "-o", "-", "--qp", "1"}, {"", pipe});
    ::close(reader);
    const Outcome outcome = command.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("standard output"), std::string::npos) << outcome.errors;
}

} // namespace
} // namespace tandem::test
