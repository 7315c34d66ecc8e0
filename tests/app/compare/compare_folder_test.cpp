// SPDX-License-Identifier: BSD-2-Clause
// What tandem compare finds in its folder, and leaves there: results of other settings, of a run that was stopped, of a
// user.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "tests/app/compare/compare_fixture.h"

namespace tandem::test {
namespace {

TEST_F(CompareCommand, AFinishedRunIsNotRunAgain) {
    ASSERT_EQ(run().code, 0);
    const std::string before = read_file(folder_ / "out/results.jsonl");
    const Outcome again = run();
    EXPECT_EQ(again.code, 0);
    EXPECT_NE(again.errors.find("4 of 4 points"), std::string::npos) << again.errors;
    EXPECT_EQ(read_file(folder_ / "out/results.jsonl"), before);
    // Another setting is another point; a cut clip is another clip.
    ASSERT_EQ(run({"--merange", "5", "--peers", "none"}).code, 0);
    ASSERT_EQ(run({"--frames", "3", "--peers", "none"}).code, 0);
    const auto rows = results();
    ASSERT_EQ(rows.size(), 8u);
    EXPECT_EQ(rows[4]["series"], "tandem mpeg2 log cpu merange=5 threads=2");
    EXPECT_EQ(rows[6]["frames"], 3);
    ASSERT_EQ(run({"--fresh"}).code, 0);
    EXPECT_EQ(without_times(results()), without_times(rows_of(before)));
}

TEST_F(CompareCommand, WhatDiffersIsAnotherSeriesOrClip) {
    ASSERT_EQ(run().code, 0);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--idct", "exact"}, {"--threads", "1"}, {"--fps", "50"}})
        ASSERT_EQ(run(more).code, 0);
    std::set<std::string> series;
    for (const Json& row : results()) {
        series.insert(row["series"]);
        EXPECT_EQ(row["idct"] == "exact", row["options"].get<std::string>().ends_with("idct=exact"));
        EXPECT_EQ(row["threads"], row["options"].get<std::string>().find("threads=1") == std::string::npos ? 2 : 1);
    }
    EXPECT_EQ(series, (std::set<std::string>{"tandem mpeg2 log cpu threads=2", "tandem mpeg2 log cpu threads=1",
                                             "tandem mpeg2 log cpu threads=2 idct=exact", "mpeg2video threads=2",
                                             "mpeg2video threads=1", "mpeg2video threads=2 idct=exact"}));
    const Json summary = Json::parse(read_file(folder_ / "out/summary.json"));
    EXPECT_EQ(summary["points"].size(), 4u * 4);
    ASSERT_EQ(summary["clips"].size(), 2u);
    EXPECT_EQ(summary["clips"][0]["name"], "clip (25 Hz)");
    EXPECT_EQ(summary["clips"][1]["name"], "clip (50 Hz)");
}

TEST_F(CompareCommand, ASearchsOwnParametersAreOtherSeries) {
    const Outcome outcome = run({"--searches", "full", "--qps", "8", "--peers", "none", "--metric", "ssd", "--grid",
                                 "2", "--phase-hann", "1", "--passes", "3"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(results()[0]["series"], "tandem mpeg2 full cpu grid=2 metric=ssd passes=3 threads=2");
}

TEST_F(CompareCommand, ADefaultThatIsGivenIsNoOtherSeries) {
    ASSERT_EQ(run().code, 0);
    const std::string before = read_file(folder_ / "out/results.jsonl");
    const Outcome again = run({"--keyint", "120", "--me-start", "predictors", "--ip-factor", "1.40", "--idct", "ffmpeg",
                               "--anchor", "tandem mpeg2 log cpu threads=2"});
    EXPECT_EQ(again.code, 0) << again.errors;
    EXPECT_NE(again.errors.find("4 of 4 points"), std::string::npos) << again.errors;
    const Outcome named = run({"--me-start", "predictors", "--qps", "8", "--peers", "none"}, "named");
    ASSERT_EQ(named.code, 0) << named.errors;
    EXPECT_EQ(results("named")[0]["series"], "tandem mpeg2 log cpu threads=2");
}

TEST_F(CompareCommand, WhatIsThereAndWasWantedOtherwiseIsTold) {
    ASSERT_EQ(run().code, 0);
    EXPECT_EQ(run().errors.find("warning"), std::string::npos);
    const Outcome more = run({"--repeat", "2", "--keep-streams"});
    EXPECT_NE(more.errors.find("--keep-streams: 4 of them have no stream in out/streams"), std::string::npos)
        << more.errors;
    EXPECT_NE(more.errors.find("--repeat 2: 4 of them have fewer runs"), std::string::npos) << more.errors;
    ASSERT_EQ(run({"--repeat", "2", "--keep-streams", "--fresh"}).code, 0);
    EXPECT_EQ(run({"--repeat", "2", "--keep-streams"}).errors.find("warning"), std::string::npos);
}

TEST_F(CompareCommand, AReportThatCannotBeWrittenIsFoundOutFirst) {
    for (const char* name : {"report.html", "summary.json", "results.csv", "results.md"}) {
        const std::string output = std::string("out-") + name;
        std::filesystem::create_directories(std::filesystem::path(folder_ / output) / name);
        const Outcome refused = run({}, output);
        EXPECT_EQ(refused.code, 2);
        EXPECT_NE(refused.errors.find(output + "/" + name), std::string::npos) << refused.errors;
        EXPECT_FALSE(std::filesystem::exists(folder_ / (output + "/results.jsonl")));
    }
}

TEST_F(CompareCommand, APointIsWrittenWhenItsOwnRunsAreDone) {
    const std::vector<std::string> many{
        "--searches", "log,tss,diamond,hexagon,smpuhex,hier,full", "--qps", "8", "--repeat", "2"};
    Command command(folder_.path(), words(many));
    ASSERT_TRUE(command.says("[1/8]"));
    command.signal(SIGKILL);
    EXPECT_EQ(command.wait().code, -SIGKILL);
    EXPECT_GE(results().size(), 1u);
    ASSERT_EQ(run(many, "whole").code, 0);
    const Outcome list =
        run({"--list-points", "--searches", "log,tss,diamond,hexagon,smpuhex,hier,full", "--qps", "8"});
    std::string order;
    for (const Json& row : results("whole"))
        order += row["series"].get<std::string>() + "\t8\n";
    std::string planned;
    std::istringstream lines(list.output);
    for (std::string line; std::getline(lines, line);)
        planned += line.substr(line.find("clip\t") + 5) + "\n";
    EXPECT_EQ(order, planned);
}

TEST_F(CompareCommand, AFolderOfTheUserStaysHis) {
    std::filesystem::create_directories(folder_ / "out/.work");
    write_file(folder_ / "out/.work/thesis.txt", "the only copy");
    ASSERT_EQ(run({"--qps", "8"}).code, 0);
    EXPECT_EQ(read_file(folder_ / "out/.work/thesis.txt"), "the only copy");
}

TEST_F(CompareCommand, AnInterruptedFreshStartSaysHowToGoOn) {
    Command command(folder_.path(), words({"--qps", "4,6,8,10,12,14,16,18", "--fresh"}));
    ASSERT_TRUE(command.says("[1/16]"));
    command.signal(SIGINT);
    const Outcome outcome = command.wait();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_NE(outcome.errors.find("without --fresh"), std::string::npos) << outcome.errors;
}

TEST_F(CompareCommand, ADamagedRowIsTold) {
    const std::vector<std::string> one{"--qps", "8", "--peers", "none"};
    ASSERT_EQ(run(one).code, 0);
    const Json whole = results()[0];
    for (const char* name : {"pictures", "provenance"}) {
        Json row = whole;
        row[name] = Json::array({1, 2});
        write_file(folder_ / "out/results.jsonl", row.dump() + "\n");
        const Outcome outcome = run(one);
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_NE(outcome.errors.find("out/results.jsonl: a result in it is damaged; --fresh begins anew"),
                  std::string::npos)
            << outcome.errors;
    }
}

TEST_F(CompareCommand, ARowOfTooManyLevelsIsNone) {
    std::filesystem::create_directory(folder_ / "out");
    constexpr int levels = 200000;
    write_file(folder_ / "out/results.jsonl",
               R"({"schema":1,"key":"a","x":)" + std::string(levels, '[') + std::string(levels, ']') + "}\n");
    const Outcome outcome = run({"--qps", "8", "--peers", "none"});
    EXPECT_EQ(outcome.code, 2) << outcome.errors;
    EXPECT_NE(outcome.errors.find("line 1 is no result"), std::string::npos) << outcome.errors;
}

TEST_F(CompareCommand, ARowWithMoreAfterAZeroByteOrImpossibleFiguresIsNone) {
    std::filesystem::create_directory(folder_ / "out");
    const std::string row = R"({"schema":1,"key":"a"})";
    for (const auto& [line, word] : {std::pair{row + std::string(1, '\0') + "more", "line 1 is no result"},
                                     {R"({"schema":1,"key":"a","bytes":-5})", "line 1: bytes cannot be -5"},
                                     {R"({"schema":1,"key":"a","ssim_y":1.5})", "line 1: ssim_y cannot be 1.5"}}) {
        write_file(folder_ / "out/results.jsonl", std::string(line) + "\n");
        const Outcome outcome = run({"--qps", "8", "--peers", "none"});
        EXPECT_EQ(outcome.code, 2) << outcome.errors;
        EXPECT_NE(outcome.errors.find(word), std::string::npos) << outcome.errors;
    }
}

/// A program under the name ffmpeg that comes before the real one.
class FakeFfmpeg {
  public:
    FakeFfmpeg(const TemporaryFolder& folder, const std::string& script) : path_(std::getenv("PATH")) {
        write_file(folder / "ffmpeg",
                   "#!/bin/sh\ncase $1 in -version) echo ffmpeg version 0; exit 0;; esac\n" + script);
        std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
        EXPECT_EQ(::setenv("PATH", (folder.path() + ":" + path_).c_str(), 1), 0);
    }
    ~FakeFfmpeg() { ::setenv("PATH", path_.c_str(), 1); }
    FakeFfmpeg(const FakeFfmpeg&) = delete;
    FakeFfmpeg& operator=(const FakeFfmpeg&) = delete;

  private:
    std::string path_;
};

TEST_F(CompareCommand, AStreamIsKeptOnceItsPointIsGood) {
    const FakeFfmpeg fake(folder_, "for last; do :; done\necho rubbish > \"$last\"\nexit 1\n");
    const Outcome outcome =
        run({"--qps", "8", "--keep-streams", "--repeat", "2", "--peers", "ffmpeg:-c:v mpeg2video -qscale:v {qp}"});
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_EQ(results().size(), 1U);
    EXPECT_EQ(snapshot_of(folder_ / "out/streams").size(), 1U);
}

TEST_F(CompareCommand, AClipThatChangesMeanwhileIsTold) {
    const FakeFfmpeg fake(folder_, "echo more >> '" + folder_ / "clip.y4m" + "'\nexit 1\n");
    const Outcome outcome = run({"--qps", "4,8", "--peers", "ffmpeg:-c:v mpeg2video -qscale:v {qp}", "--repeat", "2"});
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("clip.y4m has changed since it was first read"), std::string::npos) << outcome.errors;
    EXPECT_LT(results().size(), 4U);
}

TEST_F(CompareCommand, GoesOnWhereItWasKilled) {
    const std::vector<std::string> many{"--qps", "4,6,8,10,12,14,16,18"};
    ASSERT_EQ(run(many, "whole").code, 0);
    const auto whole = without_times(results("whole"));
    ASSERT_EQ(whole.size(), 16u);
    for (const int signal : {SIGKILL, SIGINT}) {
        const std::string output = signal == SIGINT ? "interrupted" : "killed";
        Command command(folder_.path(), words(many, output));
        ASSERT_TRUE(command.says("[3/16]"));
        command.signal(signal);
        EXPECT_EQ(command.wait().code, signal == SIGINT ? 130 : -SIGKILL);
        ASSERT_GE(results(output).size(), 2u);
        EXPECT_LT(results(output).size(), 16u);
        write_file(folder_ / (output + "/results.jsonl"),
                   read_file(folder_ / (output + "/results.jsonl")) + "{\"schema\":1,\"ke");
        const Outcome outcome = run(many, output);
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_NE(outcome.errors.find("cut off"), std::string::npos) << outcome.errors;
        EXPECT_EQ(without_times(results(output)), whole);
        EXPECT_FALSE(std::filesystem::exists(folder_ / (output + "/.tandem-compare-work")));
    }
}

} // namespace
} // namespace tandem::test
