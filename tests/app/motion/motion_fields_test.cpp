// SPDX-License-Identifier: BSD-2-Clause
// Fields that `tandem motion` is given: as truth, hint and for comparison.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "files/npy_file.h"
#include "me/fields/field_file.h"
#include "tests/app/clips.h"
#include "tests/app/motion/motion_fixture.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem::test {
namespace {

TEST_F(MotionCommand, WhatIsAskedForAndUnknownIsNull) {
    NpyWriter truth(AtomicFile(folder_ / "t.npy"), NpyType::float32, {5, 6, 2});
    for (int n = 1; n < frames; ++n)
        truth.write(std::vector<float>(5 * 6 * 2, n == 1 ? std::nanf("") : 1.0F));
    truth.finish();
    motion({"--truth", "t.npy", "--report", "r.json"});
    const Json pairs = json("r.json")["pairs"];
    EXPECT_EQ(pairs[0]["truth_known"], 0.0);
    for (const char* name : {"end_point_error", "angular_error", "within_one_pel"}) {
        EXPECT_TRUE(pairs[0].contains(name) && pairs[0][name].is_null()) << name;
        EXPECT_TRUE(pairs[1][name].is_number()) << name;
    }
    EXPECT_FALSE(pairs[0].contains("equal_vectors"));
}

TEST_F(MotionCommand, TheTruthIsNotRounded) {
    NpyWriter truth(AtomicFile(folder_ / "t.npy"), NpyType::float32, {5, 6, 2});
    for (int n = 1; n < frames; ++n) {
        std::vector<float> vectors(5 * 6 * 2, std::nanf(""));
        vectors[2 * (2 * 6 + 3)] = -3.05F;
        vectors[2 * (2 * 6 + 3) + 1] = 2;
        truth.write(vectors);
    }
    truth.finish();
    motion({"--truth", "t.npy", "--report", "r.json"});
    EXPECT_NEAR(json("r.json")["total"]["end_point_error"], 0.05, 1e-6);
    EXPECT_GT(json("r.json")["total"]["angular_error"], 0.0);
    EXPECT_EQ(json("r.json")["total"]["within_one_pel"], 1.0);
}

TEST_F(MotionCommand, ANumpyFieldIsReadBackByTheSameOptions) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--seek", "1"}, {"--step", "2"}}) {
        std::vector<std::string> out = words, back = words;
        out.insert(out.end(), {"-o", "s.npy"});
        back.insert(back.end(), {"--compare", "s.npy", "--report", "r.json"});
        motion(out);
        motion(back);
        EXPECT_EQ(json("r.json")["total"]["equal_vectors"], 1.0) << words[0];
    }
}

TEST_F(MotionCommand, TheTruthOfASceneHasNoPicturesOfAnOlderField) {
    motion({"--seek", "1", "-o", "truth.npy"});
    EXPECT_TRUE(std::filesystem::exists(folder_ / "truth.pictures.npy"));
    SetUp(); // The scene and its truth once more.
    EXPECT_FALSE(std::filesystem::exists(folder_ / "truth.pictures.npy"));
    motion({"--truth", "truth.npy"});
}

TEST_F(MotionCommand, AVideoOfADrawingMayBeWiderThanMpegCanSay) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    write_file(folder_ / "wide.y4m", y4m_clip(4096, 16, 2));
    const Outcome outcome = run({"motion", "wide.y4m", "--search", "tss", "--draw", "d.m2v"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(open_source(folder_ / "d.m2v")->format().width, 4098);
}

TEST_F(MotionCommand, FieldsOfOtherBlocksAreTakenByTheirMiddles) {
    motion({"--block", "8x8", "-o", "small.tmf"});
    motion({"--block", "8x8", "-o", "small.npy"});
    motion({"--block", "16x16", "--search", "given", "--hint", "small.tmf", "-o", "given.tmf"});
    const auto small = open_field_file(folder_ / "small.tmf")->read(),
               given = open_field_file(folder_ / "given.tmf")->read();
    ASSERT_TRUE(small && given);
    EXPECT_EQ(given->field.block_width(), 16);
    EXPECT_EQ(given->field.best(1, 1).mv, small->field.best(3, 3).mv);
    const Outcome numpy = run({"motion", "clip.y4m", "--block", "16x16", "--compare", "small.npy"});
    EXPECT_EQ(numpy.code, 2) << "the file does not say its blocks";
    motion({"--block", "16x16", "--compare", "small.tmf", "--report", "r.json"});
    EXPECT_TRUE(json("r.json")["total"]["mean_cost_difference"].is_null());
}

TEST_F(MotionCommand, CostsOfOtherKindsAreNotCompared) {
    motion({"--planes", "all", "-o", "all.tmf"});
    motion({"--lambda", "4", "-o", "lambda.tmf"});
    const auto cost_of = [&](const std::vector<std::string>& words) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--report", "r.json"});
        motion(all);
        return json("r.json")["total"]["mean_cost_difference"];
    };
    EXPECT_TRUE(cost_of({"--compare", "all.tmf"}).is_null());
    EXPECT_TRUE(cost_of({"--compare", "lambda.tmf"}).is_null());
    EXPECT_EQ(cost_of({"--planes", "all", "--compare", "all.tmf"}), 0.0);
    EXPECT_EQ(cost_of({"--lambda", "4", "--compare", "lambda.tmf"}), 0.0);
    EXPECT_TRUE(cost_of({"--lambda", "4", "--rate-unit", "8", "--compare", "lambda.tmf"}).is_null());
    motion({"--metric", "satd", "--planes", "all", "--lambda", "65535.99", "--rate-unit", "1", "-o", "long.tmf"});
    EXPECT_EQ(open_field_file(folder_ / "long.tmf")->metric(), "satd yuv+16777213/256b1");
    motion({"--rate-unit", "1", "-o", "free.tmf"});
    EXPECT_EQ(open_field_file(folder_ / "free.tmf")->metric(), "sad");
}

TEST_F(MotionCommand, TheRangeOfAWidePictureEndsWhereVectorsDo) {
    write_file(folder_ / "wide.y4m", y4m_clip(4100, 16, 2));
    const Outcome outcome =
        run({"motion", "wide.y4m", "--range", "picture", "--search", "diamond", "--report", "r.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(json("r.json")["search"]["range"], (Json{4080, 15}));
}

} // namespace
} // namespace tandem::test
