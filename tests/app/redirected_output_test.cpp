// SPDX-License-Identifier: BSD-2-Clause
// Outputs named after files that the shell has opened: what is there already stays, and what comes later follows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

class RedirectedOutput : public testing::Test {
  protected:
    void SetUp() override {
        write_file(folder_ / "ok.y4m", y4m_clip(64, 48, 3));
        write_file(folder_ / "log.txt", "before\n");
    }

    /// What log.txt has after a shell ran `tandem WORDS` and then `echo done` into it.
    std::string log_after(const std::string& words, const std::string& redirection = ">> log.txt") {
        const std::string script =
            "cd '" + folder_.path() + "' && { '" TANDEM_BINARY "' " + words + "; echo done; } " + redirection;
        EXPECT_EQ(std::system(script.c_str()), 0) << script;
        return read_file(folder_ / "log.txt");
    }
    static bool ends_with_done(const std::string& log) { return log.ends_with("done\n") && log.size() > 12; }

    TemporaryFolder folder_;
};

TEST_F(RedirectedOutput, StandardOutputByItsNamesIsWrittenWhereItStands) {
    const std::string encode = "encode ok.y4m -q -o out.m2v ";
    for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout", "link"}) {
        write_file(folder_ / "log.txt", "before\n");
        const std::string log = log_after("devices --report none.json > /dev/null; ln -sf /dev/stdout link; '" TANDEM_BINARY
                                          "' " + encode + "--stats " + name);
        EXPECT_EQ(log.find("before\n"), 0u) << name << ": " << log;
        EXPECT_NE(log.find("\ncoding,"), std::string::npos) << name << ": " << log;
        EXPECT_TRUE(ends_with_done(log)) << name << ": " << log;
    }
}

TEST_F(RedirectedOutput, EveryOutputOfEncodeMayBeOne) {
    for (const char* option : {"--stats", "--report", "--trace", "--recon"}) {
        write_file(folder_ / "log.txt", "before\n");
        const std::string log = log_after("encode ok.y4m -q -o out.m2v " + std::string(option) + " /dev/stdout");
        EXPECT_EQ(log.find("before\n"), 0u) << option;
        EXPECT_TRUE(ends_with_done(log)) << option;
    }
    write_file(folder_ / "log.txt", "");
    const std::string stream = log_after("encode ok.y4m -q -o /dev/stdout");
    ASSERT_EQ(std::system(("cd '" + folder_.path() + "' && '" TANDEM_BINARY "' encode ok.y4m -q -o s.m2v").c_str()), 0);
    EXPECT_EQ(stream, read_file(folder_ / "s.m2v") + "done\n");
}

TEST_F(RedirectedOutput, EveryOutputOfMotionMayBeOne) {
    for (const char* option : {"--stats", "--report", "--trace", "--compensate", "--residual"}) {
        write_file(folder_ / "log.txt", "before\n");
        const std::string log = log_after("motion ok.y4m " + std::string(option) + " /dev/stdout 2> /dev/null");
        EXPECT_EQ(log.find("before\n"), 0u) << option;
        EXPECT_EQ(log.find("PSNR Y"), std::string::npos) << option << ": the table is in it";
        EXPECT_TRUE(ends_with_done(log)) << option;
    }
}

TEST_F(RedirectedOutput, OtherDescriptorsToo) {
    for (const char* number : {"2", "7"}) {
        write_file(folder_ / "log.txt", "before\n");
        const std::string n = number;
        const std::string log = log_after("encode ok.y4m -q -o out.m2v --report /dev/fd/" + n + "; echo done >&" + n,
                                          n + ">> log.txt > /dev/null");
        EXPECT_EQ(log.find("before\n"), 0u) << n;
        EXPECT_NE(log.find("\"frames\": 3"), std::string::npos) << log;
        EXPECT_TRUE(ends_with_done(log)) << n;
    }
}

TEST_F(RedirectedOutput, OneForTwoOutputsIsRefused) {
    const std::vector<std::string> words{"encode", "ok.y4m", "-o", "-", "--stats", "/dev/stdout"};
    const Outcome outcome = run_command(folder_.path(), words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("are the same file"), std::string::npos) << outcome.errors;
}

TEST_F(RedirectedOutput, OneThatIsNotOpenIsRefused) {
    const Outcome outcome =
        run_command(folder_.path(), {"encode", "ok.y4m", "-o", "out.m2v", "--stats", "/dev/fd/93"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("/dev/fd/93: cannot be written"), std::string::npos) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()).size(), 2u) << "more than the clip and the log is there";
}

} // namespace
} // namespace tandem::test
