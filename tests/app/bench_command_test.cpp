// SPDX-License-Identifier: BSD-2-Clause
// `tandem bench` from the outside. What it measures is not asserted, only that it measures what was asked for.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/json.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

Outcome bench(const TemporaryFolder& folder, std::vector<std::string> words) {
    words.insert(words.begin(), {"bench", "motion"});
    return run_command(folder.path(), words);
}

TEST(BenchCommand, MeasuresEveryRowThatIsAskedFor) {
    const TemporaryFolder folder;
    const Outcome outcome =
        bench(folder, {"--size", "64x48", "--frames", "2", "--repeat", "1", "--search", "full,tss", "--block",
                       "16x16,8x8", "--range", "4,7", "--metric", "sad,satd", "--report", "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const Json report = Json::parse(read_file(folder / "r.json"));
    EXPECT_EQ(report["input"], "noise");
    EXPECT_EQ(report["width"], 64);
    EXPECT_EQ(report["clock"], "processor");
    ASSERT_EQ(report["rows"].size(), 8u * 3); // A full search is measured twice.
    for (const Json& row : report["rows"]) {
        EXPECT_GT(row["fields_per_second"], 0.0);
        EXPECT_EQ(row["seconds"].size(), 1u);
        EXPECT_EQ(row["share_of_ceiling"].is_null(), report["ceiling"].is_null() || row["metric"] != "sad");
        // Full search answers for all positions of the range, others for those that they measure.
        const double answered = row[row["search"] == "full" ? "positions_per_field" : "measured_per_field"];
        EXPECT_DOUBLE_EQ(row["positions_per_second"], answered * row["fields_per_second"].get<double>());
    }
    const Json& first = report["rows"][0];
    EXPECT_EQ(first["search"], "full");
    EXPECT_TRUE(first["brute"]);
    EXPECT_EQ(first["block"], (Json{16, 16}));
    EXPECT_EQ(first["range"], 4);
    // 4 columns of 5, 9, 9 and 5 vectors by 3 rows of 5, 9 and 5.
    EXPECT_EQ(first["positions_per_field"], 28.0 * 19);
    EXPECT_GE(first["measured_per_field"], 28.0 * 19);
    EXPECT_EQ(report["rows"].back()["search"], "tss");
    EXPECT_EQ(report["rows"].back()["metric"], "satd");
    for (const char* words : {"full --brute", "tss", "8x8", "satd", "ceiling"})
        EXPECT_NE(outcome.output.find(words), std::string::npos) << words;
}

TEST(BenchCommand, MeasuresAllSearches) {
    const TemporaryFolder folder;
    const Outcome outcome =
        bench(folder, {"--size", "64x48", "--frames", "2", "--repeat", "1", "--range", "4", "--search", "all"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    for (const char* words : {"full --brute", "log", "hier", "smpuhex"})
        EXPECT_NE(outcome.output.find(words), std::string::npos) << words;
}

TEST(BenchCommand, RefusesWhatItCannotMeasure) {
    const TemporaryFolder folder;
    for (const auto& words : std::vector<std::vector<std::string>>{{"--search", "fulll"},
                                                                   {"--block", "300x16"},
                                                                   {"--range", "9999"},
                                                                   {"--metric", "sad,"},
                                                                   {"--search", "given"},
                                                                   {"--search", "tss,tss"},
                                                                   {"--frames", "1"},
                                                                   {"--repeat", "0"},
                                                                   {"--peers"},
                                                                   {"nothing.y4m"}}) {
        const Outcome outcome = bench(folder, words);
        EXPECT_EQ(outcome.code, 2) << words[0];
        EXPECT_NE(outcome.errors.find(words.back().substr(0, 3)), std::string::npos) << outcome.errors;
    }
}

TEST(BenchCommand, SaysWhatIsMissingInAList) {
    const TemporaryFolder folder;
    for (const auto& [option, list] :
         {std::pair{"--search", "full,"}, {"--block", ",16x16"}, {"--metric", "sad,,ssd"}}) {
        const Outcome outcome = bench(folder, {option, list});
        EXPECT_EQ(outcome.code, 2) << option;
        const std::string said = std::string(option) + " " + list + ": a name or number of the list is missing";
        EXPECT_NE(outcome.errors.find(said), std::string::npos) << outcome.errors;
    }
}

TEST(BenchCommand, RefusesOptionsOfNoiseForAClipAndOfAClipForNoise) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(64, 48, 2));
    const Outcome clip = bench(folder, {"clip.y4m", "--size", "64x64", "--frames", "2", "--repeat", "1"});
    EXPECT_EQ(clip.code, 2);
    EXPECT_NE(clip.errors.find("--size is for pictures of noise; here is a clip, clip.y4m"), std::string::npos)
        << clip.errors;
    for (const auto& [option, value] : {std::pair{"--seek", "3"}, {"--input-res", "64x48"}}) {
        const Outcome noise = bench(folder, {option, value, "--size", "64x48", "--frames", "2", "--repeat", "1"});
        EXPECT_EQ(noise.code, 2) << option;
        EXPECT_NE(noise.errors.find(std::string(option) + " is for a clip"), std::string::npos) << noise.errors;
    }
}

TEST(BenchCommand, RefusesWhatThePeersCannotDo) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(64, 48, 2));
    write_file(folder / "raw_64x48.yuv", yuv_clip(64, 48, 2));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"clip.y4m", "--block", "16x8"},
                                                  {"clip.y4m", "--block", "4x4"},
                                                  {"clip.y4m", "--block", "24x24"},
                                                  {"clip.y4m", "--range", "3,16"},
                                                  {"raw_64x48.yuv"},
                                                  {"pipe"},
                                                  {"-"}}) {
        std::vector<std::string> all = words;
        all.push_back("--peers");
        const Outcome outcome = bench(folder, all);
        EXPECT_EQ(outcome.code, 2) << words.back();
        EXPECT_NE(outcome.errors.find("--peers: "), std::string::npos) << outcome.errors;
    }
}

TEST(BenchEncode, HasARowForEachStageAndEachNumberOfThreads) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(70, 50, 3));
    const Outcome outcome =
        run_command(folder.path(), {"bench", "encode", "clip.y4m", "--frames", "3", "--pictures", "8", "--repeat", "2",
                                    "--threads", "3", "--me", "hexagon", "--preset", "fast", "--report", "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const Json report = Json::parse(read_file(folder / "r.json"));
    EXPECT_EQ(report["width"], 80); // Whole macroblocks.
    EXPECT_EQ(report["search"], "hexagon");
    EXPECT_EQ(report["preset"], "fast");
    double sum = 0, whole = 0;
    std::vector<std::string> names;
    for (const Json& stage : report["stages"]) {
        names.push_back(stage["name"]);
        EXPECT_EQ(stage["runs_us"].size(), 2u);
        EXPECT_NE(outcome.output.find(names.back()), std::string::npos) << names.back();
        (names.back() == "whole" ? whole : sum) += stage["runs_us"][0].get<double>();
    }
    EXPECT_EQ(names, (std::vector<std::string>{"reading", "lookahead", "filter", "search", "refine", "decide",
                                               "residual", "entropy", "rest", "whole"}));
    EXPECT_NEAR(sum, whole, 1e-6 * whole);
    std::vector<int> threads;
    for (const Json& run : report["threads"])
        threads.push_back(run["threads"]);
    EXPECT_EQ(threads, (std::vector<int>{1, 2, 3}));
}

TEST(BenchEncode, RefusesWhatItCannotMeasure) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(64, 48, 3));
    write_file(folder / "one.y4m", y4m_clip(64, 48, 1));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{}, "needs a clip"},
             {{"-"}, "must be a file"},
             {{"pipe"}, "must be a file"},
             {{"none.y4m"}, "none.y4m"},
             {{"one.y4m"}, "two pictures"},
             {{"clip.y4m", "--me", "full,log"}, "one search"},
             {{"clip.y4m", "--peers"}, "bench motion"},
             {{"clip.y4m", "--block", "8x8"}, "bench motion"},
             {{"clip.y4m", "--pictures", "7"}, "--pictures"}}) {
        std::vector<std::string> all{"bench", "encode"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run_command(folder.path(), all);
        EXPECT_EQ(outcome.code, 2) << said;
        EXPECT_NE(outcome.errors.find(said), std::string::npos) << outcome.errors;
    }
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"--qp", "9"}, {"--keyint", "9"}, {"--pictures", "9"}, {"--preset", "fast"}}) {
        const Outcome outcome = bench(folder, {option, value});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.errors.find("is for bench encode"), std::string::npos) << outcome.errors;
    }
}

TEST(BenchCommand, AReportOnStandardOutputIsAlone) {
    const TemporaryFolder folder;
    const Outcome outcome =
        bench(folder, {"--size", "64x48", "--frames", "2", "--repeat", "1", "--search", "tss", "--report", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(Json::parse(outcome.output)["rows"].size(), 1u);
}

TEST(BenchCommand, ShareOfTheCeilingCountsTheSamplesOfCutBlocks) {
    const TemporaryFolder folder;
    const Outcome outcome = bench(folder, {"--size", "130x130", "--frames", "2", "--repeat", "1", "--search", "full",
                                           "--block", "128x128", "--range", "1", "--report", "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const Json report = Json::parse(read_file(folder / "r.json"));
    if (report["ceiling"].is_null()) GTEST_SKIP() << "this machine has no ceiling";
    const Json& row = report["rows"][0];
    // Each side has a block of 128 samples and one of 2, each with two vectors that stay inside.
    EXPECT_EQ(row["positions_per_field"], 16.0);
    const double differences = row["share_of_ceiling"].get<double>() *
                               report["ceiling"]["differences_per_second"].get<double>() /
                               row["fields_per_second"].get<double>();
    EXPECT_NEAR(differences, 4.0 * 130 * 130, 1);
}

} // namespace
} // namespace tandem::test
