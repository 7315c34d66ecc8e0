// SPDX-License-Identifier: BSD-2-Clause
// tandem motion --measure: motion that somebody else made, as it is.
#include <cmath>
#include <cstring>
#include <vector>

#include "motion_fixture.h"
#include "tests/me/fields/deep_png.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem::test {
namespace {

std::string bytes_of(const void* from, std::size_t size) { return {static_cast<const char*>(from), size}; }

class MotionMeasure : public MotionCommand {
  protected:
    void SetUp() override {
        const Outcome outcome = run({"synth", "--size", "96x80", "--frames", "2", "--speed", "3,-2", "-o", "clip.y4m",
                                     "--truth", "truth.npy", "--block", "1"});
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
    }

    /// (x, y) pels off the truth, (-3, 2), at every sample.
    void write_flow(const std::string& name, float x, float y) const {
        std::vector<float> vectors;
        for (int i = 0; i < width * height; ++i)
            vectors.insert(vectors.end(), {-3 + x, 2 + y});
        const std::int32_t sides[2] = {width, height};
        write_file(folder_ / name,
                   "PIEH" + bytes_of(sides, sizeof sides) + bytes_of(vectors.data(), vectors.size() * sizeof(float)));
    }
    Json total(std::vector<std::string> words) const {
        words.insert(words.end(), {"--report", "r.json"});
        motion(words);
        return json("r.json")["total"];
    }
    void expect_refused(std::vector<std::string> words, const std::string& why) const {
        words.insert(words.begin(), {"motion", "clip.y4m"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 2) << outcome.errors;
        EXPECT_NE(outcome.errors.find(why), std::string::npos) << outcome.errors;
    }
};

TEST_F(MotionMeasure, ErrorsAreThoseOfEverySampleAndNotRounded) {
    write_flow("near.flo", 0.03f, -0.04f);
    const Json near = total({"--measure", "near.flo", "--truth", "truth.npy"});
    EXPECT_NEAR(near["end_point_error"].get<double>(), 0.05, 1e-6) << "an eighth would be 0";
    EXPECT_EQ(near["blocks"], width * height);
    EXPECT_EQ(near["outliers"], 0);
    EXPECT_EQ(near["within_one_pel"], 1);
    EXPECT_EQ(near["backend"], "file");
    EXPECT_NEAR(near["mean_length"].get<double>(), std::hypot(2.97, 1.96), 1e-6);
    EXPECT_TRUE(near["vector_entropy"].is_null());
    EXPECT_FALSE(json("r.json").contains("search"));
    EXPECT_EQ(json("r.json")["measured"], "near.flo");
    write_flow("far.flo", 0, 4);
    const Json far = total({"--measure", "far.flo", "--truth", "truth.npy"});
    EXPECT_NEAR(far["end_point_error"].get<double>(), 4, 1e-6);
    EXPECT_EQ(far["outliers"], 1);
    EXPECT_GT(near["psnr_y"].get<double>(), far["psnr_y"].get<double>() + 3);
}

TEST_F(MotionMeasure, AFieldOfBlocksIsThatOfItsSamples) {
    const Json found = total({"-o", "blocks.tmf", "--truth", "truth.npy"});
    for (const char* name : {"blocks.flo", "blocks.tmf"}) {
        if (std::string(name) == "blocks.flo") motion({"-o", name});
        const Json measured = total({"--measure", name, "--compensate", "p.y4m"});
        EXPECT_NEAR(measured["psnr_y"].get<double>(), found["psnr_y"].get<double>(), 1e-9) << name;
        EXPECT_EQ(measured["sad_per_pel"], found["sad_per_pel"]) << name;
        const std::string predicted = read_file(folder_ / "p.y4m");
        motion({"--compensate", "p.y4m"});
        EXPECT_EQ(read_file(folder_ / "p.y4m") == predicted, true) << name;
    }
}

TEST_F(MotionMeasure, TablesHaveOutliersOnlyWhereSamplesAreMeasured) {
    write_flow("f.flo", 0, 0);
    motion({"--measure", "f.flo", "--truth", "truth.npy", "--stats", "s.csv"});
    EXPECT_NE(read_file(folder_ / "s.csv").find(",outliers,"), std::string::npos);
    motion({"--truth", "truth.npy", "--stats", "s.csv"});
    EXPECT_EQ(read_file(folder_ / "s.csv").find("outliers"), std::string::npos);
}

TEST_F(MotionMeasure, ReadsWhatKittiHas) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to read PNG with";
    // 64 * -3 and 64 * 2 steps, and every other row is not known.
    std::vector<std::array<std::uint16_t, 3>> pels;
    for (int i = 0; i < width * height; ++i)
        pels.push_back({32768 - 192, 32768 + 128, static_cast<std::uint16_t>(i / width % 2)});
    write_file(folder_ / "000000_10.png", deep_png(width, height, pels));
    write_flow("f.flo", 0.5f, 0);
    const Json of_truth = total({"--measure", "f.flo", "--truth", "000000_10.png"});
    EXPECT_NEAR(of_truth["end_point_error"].get<double>(), 0.5, 1e-6);
    EXPECT_NEAR(of_truth["truth_known"].get<double>(), 0.5, 1e-6);
    const Json measured = total({"--measure", "000000_10.png", "--truth", "truth.npy"});
    EXPECT_NEAR(measured["end_point_error"].get<double>(), 0, 1e-6);
    EXPECT_NEAR(measured["share_without_vector"].get<double>(), 0.5, 1e-6);
}

TEST_F(MotionMeasure, RefusesWhatIsForASearch) {
    write_flow("f.flo", 0, 0);
    for (const char* option : {"--metric sad", "--me full", "--range 8", "--precision 2", "--block 8x8", "-o x.tmf",
                               "--draw x.png", "--hint f.flo", "--compare f.flo", "--device cpu"}) {
        const std::string text(option);
        const std::size_t blank = text.find(' ');
        expect_refused({"--measure", "f.flo", text.substr(0, blank), text.substr(blank + 1)},
                       "is for a search; --measure searches nothing");
    }
    expect_refused({"--measure", "none.flo"}, "none.flo");
    expect_refused({"--measure", "clip.y4m"}, ".tmf, .npy, .flo, .png");
    expect_refused({"--measure", "f.flo", "--stats", "f.flo"}, "--measure");
}

TEST_F(MotionCommand, MetricsThatDoNotSeeBrightnessAreForMotionAlone) {
    for (const char* metric : {"zsad", "ncc"}) {
        motion({"--metric", metric, "--report", "r.json"});
        EXPECT_EQ(json("r.json")["search"]["metric"], metric);
        const Outcome outcome = run({"encode", "clip.y4m", "-o", "x.m2v", "--metric", metric});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.errors.find("must be one of sad|ssd|satd"), std::string::npos) << outcome.errors;
    }
}

} // namespace
} // namespace tandem::test
