// SPDX-License-Identifier: BSD-2-Clause
// What `tandem motion` writes of its parameters and records, from numbers that are all different: none can stand for
// another.
#include "app/motion/motion_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "video/quality/quality.h"

namespace tandem {
namespace {

SearchParams all_different() {
    SearchParams search;
    search.algorithm = Algorithm::logarithmic;
    search.block_width = 8, search.block_height = 24;
    search.range_x = 31, search.range_y = 17;
    search.precision = 4, search.grid = 2;
    search.interpolation = Interpolation::six_tap;
    search.metric = Metric::satd;
    search.planes = Planes::all;
    search.boundary = Boundary::padded;
    search.lambda_q8 = 640;
    search.rate_unit = 1;
    search.null_threshold = 101, search.null_level = 8, search.null_gain = 9;
    search.candidates = 6;
    search.brute_force = true;
    search.first_step = 13;
    search.step_sequence = StepSequence::halving;
    search.smpuhex_converged = 102, search.smpuhex_wide = 103, search.smpuhex_wide_small = 104;
    search.passes = 3;
    search.block_order = BlockOrder::raster;
    search.wide_range = 21, search.levels = 5, search.level_candidates = 7;
    search.phase_window = 64, search.phase_layers = 11, search.phase_peaks = 12;
    search.phase_hann = false;
    return search;
}

MotionOptions options_of_a_clip() {
    MotionOptions options;
    options.input = "in.y4m";
    options.predictor = "median";
    options.seek = 18;
    options.step = 19;
    options.threads = 20;
    return options;
}

VideoFormat format_of_a_clip() {
    VideoFormat format;
    format.width = 72;
    format.height = 40;
    format.frame_rate = {30000, 1001};
    return format;
}

TEST(MotionReport, EveryParameterHasItsOwnValue) {
    const Json report = motion_json(options_of_a_clip(), all_different(), format_of_a_clip(), {});
    // In any order of the keys.
    EXPECT_EQ(nlohmann::json(report["search"]), nlohmann::json::parse(R"({
        "search": "log", "block": [8, 24], "range": [31, 17], "precision": 4, "grid": 2, "metric": "satd",
        "planes": "all", "interpolation": "six-tap", "boundary": "padded", "lambda": 2.5, "rate_unit": 1,
        "predictor": "median", "start": "zero", "null_threshold": 101, "null_level": 8, "null_gain": 9, "candidates": 6, "brute": true, "first_step": 13,
        "step_sequence": "halving", "smpuhex_converged": 102, "smpuhex_wide": 103, "smpuhex_wide_small": 104,
        "passes": 3, "block_order": "raster", "wide_range": 21, "levels": 5, "level_candidates": 7, "phase_window": 64,
        "phase_layers": 11, "phase_hann": false, "phase_peaks": 12})"));
    EXPECT_EQ(report["threads"], 20);
}

TEST(MotionReport, InputIsAClipOrTwoFiles) {
    MotionOptions options = options_of_a_clip();
    const auto input = [&] { return motion_json(options, {}, format_of_a_clip(), {})["input"]; };
    EXPECT_EQ(input(), Json::parse(R"({"name": "in.y4m", "width": 72, "height": 40, "frame_rate": [30000, 1001],
                                       "seek": 18, "step": 19})"));
    options.second = "other.y4m";
    EXPECT_EQ(input(), Json::parse(R"({"name": "in.y4m", "width": 72, "height": 40, "frame_rate": [30000, 1001],
                                       "second": "other.y4m"})"));
}

TEST(MotionReport, BinsAreNamedByTheirLimits) {
    FieldDifferences differences;
    differences.blocks = 4;
    differences.lengths[0] = 2, differences.lengths[2] = 1, differences.lengths.back() = 1;
    differences.costs_known = 4;
    differences.costs.front() = 1, differences.costs[FieldDifferences::cost_middle - 8] = 1;
    differences.costs[FieldDifferences::cost_middle] = 1, differences.costs.back() = 1;
    const std::string bar(10, '#');
    EXPECT_EQ(difference_lines(differences), (std::vector<std::string>{
                                                 "length of the difference of two vectors, in pels, and blocks:",
                                                 "             0         2   50.00 %  " + bar + bar,
                                                 "        to 0.5         1   25.00 %  " + bar,
                                                 "       over 32         1   25.00 %  " + bar,
                                                 "cost in the other field minus cost here, and blocks:",
                                                 " beyond -65536         1   25.00 %  " + bar,
                                                 "     to -65536         1   25.00 %  " + bar,
                                                 "             0         1   25.00 %  " + bar,
                                                 "  beyond 65536         1   25.00 %  " + bar,
                                             }));
}

/// Errors of 1, 2 and 4 in the planes of one sample each.
MotionRecord record_of(int picture, double seconds, const std::string& backend) {
    MotionRecord record;
    record.picture = picture;
    record.reference = picture - 1;
    record.backend = backend;
    record.search_seconds = seconds;
    for (std::size_t plane = 0; plane < 3; ++plane)
        record.measures.dfd[plane].counts[DifferenceHistogram::largest + (1U << plane)] = 1;
    return record;
}

TEST(MotionReport, FiguresOfPlanesAreTheirOwn) {
    const MotionRecord record = record_of(1, 0, "cpu");
    const auto figure = [&](std::string_view name) {
        return std::ranges::find(motion_columns(), name, &MotionColumn::name)->value(record);
    };
    EXPECT_DOUBLE_EQ(figure("mse_y"), 1);
    EXPECT_DOUBLE_EQ(figure("mse_u"), 4);
    EXPECT_DOUBLE_EQ(figure("mse_v"), 16);
    EXPECT_DOUBLE_EQ(figure("psnr_y"), psnr(1, 1));
    EXPECT_DOUBLE_EQ(figure("psnr_u"), psnr(4, 1));
    EXPECT_DOUBLE_EQ(figure("psnr_v"), psnr(16, 1));
}

TEST(MotionReport, TheTotalHasTheSecondsOfAllPairs) {
    MotionRecord total;
    total.add(record_of(1, 0.25, "cpu"));
    total.add(record_of(2, 0.5, "gpu:0"));
    EXPECT_EQ(total.search_seconds, 0.75);
    EXPECT_EQ(motion_json({}, {}, format_of_a_clip(), total)["total"]["search_seconds"], 0.75);
    EXPECT_EQ(total.backend, "cpu + gpu:0");
}

} // namespace
} // namespace tandem
