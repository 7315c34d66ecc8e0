// SPDX-License-Identifier: BSD-2-Clause
// Small things that a user meets: tables cut by `head`, words of other programs, options without use, files that hold
// less than they promise, messages that quote odd bytes.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <array>
#include <cstdio>

#include "app/encode/foreign_options.h"
#include "app/json.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem::test {
namespace {

class Everyday : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(64, 48, 6)); }

    Outcome run(const std::vector<std::string>& words) { return run_command(folder_.path(), words); }

    /// Exit code of a shell's command that names the program "$T".
    int shell(const std::string& command) {
        const std::string line = "cd '" + folder_.path() + "' && T='" TANDEM_BINARY "' && " + command;
        const int status = std::system(("bash -c \"" + line + "\"").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    TemporaryFolder folder_;
};

TEST_F(Everyday, ATableWhoseReaderHasEnoughEndsSilently) {
    for (const char* command : {"motion clip.y4m", "encode --help all", "man"}) {
        // `true` reads nothing; the sleep lets it end first.
        const std::string line =
            std::string("(sleep 0.2; exec \\\"\\$T\\\" ") + command + ") 2>said.txt | true; exit \\${PIPESTATUS[0]}";
        EXPECT_EQ(shell(line), 141) << command;
        EXPECT_EQ(read_file(folder_ / "said.txt"), "") << command;
    }
    // What goes into files is written all the same.
    EXPECT_EQ(shell("(sleep 0.2; exec \\\"\\$T\\\" motion clip.y4m --stats s.csv -o f.npy) 2>said.txt | true; exit "
                    "\\${PIPESTATUS[0]}"),
              0)
        << read_file(folder_ / "said.txt");
    EXPECT_NE(read_file(folder_ / "s.csv").find("all,"), std::string::npos);
}

TEST_F(Everyday, WordsOfFfmpegAreAnsweredByStream) {
    EXPECT_NE(foreign_answer("-c:a").find("sound"), std::string_view::npos);
    EXPECT_NE(foreign_answer("-c:v").find("--codec"), std::string_view::npos);
    EXPECT_NE(foreign_answer("-b:a").find("sound"), std::string_view::npos);
    EXPECT_NE(foreign_answer("-b:v").find("--bitrate"), std::string_view::npos);
    for (const char* word : {"-preset", "-map", "--vf", "-acodec", "-color_range", "-to"}) {
        const Outcome outcome = run({"encode", "clip.y4m", "-o", "a.m2v", word, "x"});
        EXPECT_EQ(outcome.code, 2) << word;
        EXPECT_EQ(outcome.errors.find("did you mean"), std::string::npos) << outcome.errors;
    }
    EXPECT_NE(run({"encode", "clip.y4m", "-o", "a.m2v", "-preset", "fast"}).errors.find("--preset"), std::string::npos);
}

TEST_F(Everyday, OptionsOfAnotherSearchAreSaid) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"encode", "clip.y4m", "-o", "a.m2v"}, {"motion", "clip.y4m"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--me", "full", "--first-step", "4", "--levels", "2"});
        const Outcome unused = run(words);
        EXPECT_EQ(unused.code, 0) << unused.errors;
        EXPECT_NE(unused.errors.find("the search full has no use for what is given: "), std::string::npos)
            << unused.errors;
        EXPECT_NE(unused.errors.find("--first-step is of tss and log"), std::string::npos) << unused.errors;
        EXPECT_NE(unused.errors.find("--levels is of hier"), std::string::npos) << unused.errors;
        words = command;
        words.insert(words.end(), {"--me", "log", "--first-step", "4"});
        EXPECT_EQ(run(words).errors.find("has no use"), std::string::npos);
    }
}

TEST_F(Everyday, MotionSaysThatAFileHasFewerPicturesThanItPromises) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    ASSERT_EQ(run({"encode", "clip.y4m", "-o", "good.avi", "--bframes", "0"}).code, 0);
    std::string bytes = read_file(folder_ / "good.avi");
    const std::size_t header = bytes.find("strh");
    ASSERT_NE(header, std::string::npos);
    bytes[header + 8 + 32] = 50; // dwLength of AVISTREAMHEADER: the pictures of the stream.
    write_file(folder_ / "less.avi", bytes);
    EXPECT_EQ(run({"motion", "good.avi", "--stats", "s.csv"}).code, 0);
    const Outcome outcome = run({"motion", "less.avi", "--stats", "less.csv"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.errors.find("less.avi: it promises 50 pictures and has 6"), std::string::npos) << outcome.errors;
    EXPECT_NE(read_file(folder_ / "less.csv").find("all,"), std::string::npos) << "what is there is measured";
    EXPECT_EQ(run({"motion", "less.avi", "--frames", "3"}).code, 0) << "so many are there";
}

TEST_F(Everyday, MessagesThatQuoteAZeroByteGoOnBehindIt) {
    std::string header = "{'descr': '<\x01"
                         "4', 'fortran_order': False, 'shape': (3, 4, 2), }";
    header[header.find('\x01')] = '\0';
    header.resize(118 - 1, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += '\x01';
    bytes += '\0';
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    write_file(folder_ / "odd.npy", bytes + header + std::string(96, '\0'));
    const Outcome outcome = run({"motion", "clip.y4m", "--me", "given", "--hint", "odd.npy"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("<?4"), std::string::npos) << outcome.errors;
}

TEST_F(Everyday, ContainersGetTheRatesThatPlayersRelyOn) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    struct Rate {
        const char *own, *coded;
    };
    for (const auto& [own, coded] :
         {Rate{"240", "60"}, {"15", "30"}, {"12.5", "25"}, {"119.88", "60000/1001"}, {"50", ""}}) {
        write_file(folder_ / "slow.y4m", y4m_clip(32, 32, 12));
        // Our own sink writes such rates, whose extension players leave out.
        ASSERT_EQ(run({"encode", "slow.y4m", "-o", "own.mkv", "--assume-fps", own}).code, 0) << own;
        const Outcome outcome = run({"encode", "own.mkv", "-o", "usual.mkv"});
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
        const bool is_said = outcome.errors.find(std::string("to come at ") + coded + " a second") != std::string::npos;
        EXPECT_EQ(is_said, *coded != '\0') << own << ": " << outcome.errors;
    }
}

TEST_F(Everyday, AFileWithoutACommandIsAnsweredWithACommand) {
    const Outcome outcome = run({"clip.y4m", "out.mkv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("tandem encode clip.y4m -o FILE"), std::string::npos) << outcome.errors;
    EXPECT_NE(run({"none.y4m"}).errors.find("unknown command none.y4m"), std::string::npos);
}

TEST_F(Everyday, NearestRatesAreReduced) {
    const Outcome outcome = run({"encode", "clip.y4m", "-o", "a.m2v", "--fps", "0.0001"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("nearest: 750/1001"), std::string::npos) << outcome.errors;
}

} // namespace
} // namespace tandem::test
