// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "c/c_params.h"
#include "me/search.h"
#include "me/search/walk.h"
#include "me/search_params.h"

namespace tandem {
namespace {

TEST(SearchParams, DefaultsAndLimitsAreGood) {
    EXPECT_TRUE(SearchParams{}.validate().empty());
    SearchParams least;
    least.block_width = least.block_height = 4;
    least.range_x = least.range_y = 0;
    EXPECT_TRUE(least.validate().empty());
    SearchParams most;
    most.block_width = most.block_height = 128;
    most.range_x = most.range_y = 4080;
    most.precision = most.rate_unit = 8;
    most.lambda_q8 = 1 << 24;
    most.null_level = 65535;
    most.null_gain = 65536;
    most.null_threshold = UINT32_MAX - 1;
    most.candidates = 16;
    most.grid = 8;
    EXPECT_TRUE(most.validate().empty());
}

TEST(SearchParams, EachProblemIsNamedWithValueAndLimit) {
    struct Case {
        std::function<void(SearchParams&)> spoil;
        const char* says;
    };
    const Case cases[] = {
        {[](SearchParams& p) { p.block_width = 3; }, "block width is 3; it must be 4 to 128"},
        {[](SearchParams& p) { p.block_height = 129; }, "block height is 129"},
        {[](SearchParams& p) { p.range_x = -1; }, "horizontal range is -1"},
        {[](SearchParams& p) { p.range_y = 4081; }, "vertical range is 4081; it must be 0 to 4080"},
        {[](SearchParams& p) { p.precision = 3; }, "precision is 3; it must be one of 1, 2, 4, 8"},
        {[](SearchParams& p) { p.precision = 16; }, "is 16"},
        {[](SearchParams& p) { p.grid = 2; }, "grid (positions per pel) is 2; it must be at most the precision, 1"},
        {[](SearchParams& p) {
             p.algorithm = Algorithm::three_step;
             p.grid = p.precision = 2;
         },
         "grid (positions per pel) is 2; only the search 'full' has a grid finer than 1, 'tss' goes by whole pels"},
        {[](SearchParams& p) { p.rate_unit = 0; }, "rate-unit is 0; it must be one of 1, 2, 4, 8"},
        {[](SearchParams& p) { p.lambda_q8 = (1 << 24) + 1; }, "lambda is 65536.00390625; it must be 0 to 65536"},
        {[](SearchParams& p) { p.null_level = 65536; }, "null-level is 65536"},
        {[](SearchParams& p) { p.null_gain = 65537; }, "null-gain is 65537"},
        {[](SearchParams& p) { p.null_threshold = UINT32_MAX; }, "null-threshold is 4294967295"},
        {[](SearchParams& p) { p.candidates = 0; }, "candidates is 0; it must be 1 to 16"},
        {[](SearchParams& p) { p.candidates = 17; }, "candidates is 17"},
        {[](SearchParams& p) {
             p.interpolation = Interpolation::six_tap;
             p.precision = 8;
         },
         "precision of six-tap interpolation is 8; it must be 1 to 4"},
        {[](SearchParams& p) { p.first_step = -1; }, "first-step is -1"},
        {[](SearchParams& p) { p.step_sequence = static_cast<StepSequence>(2); },
         "step-sequence is 2; it must be one of falling"},
        {[](SearchParams& p) { p.passes = 0; }, "passes is 0; it must be 1 to 4"},
        {[](SearchParams& p) { p.block_order = static_cast<BlockOrder>(2); }, "block-order is 2"},
        {[](SearchParams& p) { p.levels = 6; }, "levels is 6; it must be 1 to 5"},
        {[](SearchParams& p) { p.wide_range = 4081; }, "wide-range is 4081; it must be 0 to 4080"},
        {[](SearchParams& p) { p.level_candidates = 9; }, "level-candidates is 9; it must be 1 to 8"},
        {[](SearchParams& p) { p.phase_window = 48; }, "phase-window is 48; it must be one of 16, 32, 64, 128, 256"},
        {[](SearchParams& p) { p.phase_window = 8; }, "phase-window is 8; it must be one of"},
        {[](SearchParams& p) { p.phase_window = 512; }, "phase-window is 512; it must be one of"},
        {[](SearchParams& p) { p.phase_layers = 5; }, "phase-layers is 5; it must be 1 to 4"},
        {[](SearchParams& p) { p.phase_peaks = 0; }, "phase-peaks is 0; it must be 1 to 16"},
        {[](SearchParams& p) { p.algorithm = static_cast<Algorithm>(99); }, "me is 99"},
        {[](SearchParams& p) { p.metric = static_cast<Metric>(5); }, "metric is 5"},
        {[](SearchParams& p) { p.planes = static_cast<Planes>(2); }, "planes is 2"},
        {[](SearchParams& p) { p.boundary = static_cast<Boundary>(2); },
         "boundary is 2; it must be one of inside, padded"},
        {[](SearchParams& p) { p.predictor = static_cast<Predictor>(9); }, "predictor has the value 9"},
        {[](SearchParams& p) { p.interpolation = static_cast<Interpolation>(9); },
         "interpolation is 9; it must be one of bilinear"},
    };
    SearchParams all_wrong;
    for (const Case& wrong : cases) {
        SearchParams params;
        wrong.spoil(params);
        wrong.spoil(all_wrong);
        const auto problems = params.validate();
        ASSERT_EQ(problems.size(), 1u) << wrong.says;
        EXPECT_NE(problems.front().find(wrong.says), std::string::npos) << problems.front();
    }
    EXPECT_EQ(all_wrong.validate().size(), 27u);
}

TEST(SearchTable, RowsAreInTheOrderOfTheirNamesInTheEnumeration) {
    for (std::size_t i = 0; i < search_table().size(); ++i) {
        const SearchRow& row = search_table()[i];
        EXPECT_EQ(row.algorithm, static_cast<Algorithm>(i));
        EXPECT_EQ(&search_row(row.algorithm), &row);
        EXPECT_EQ(algorithm_by_name(row.name), row.algorithm);
        EXPECT_FALSE(row.description.empty());
    }
    EXPECT_EQ(algorithm_by_name("full"), Algorithm::full);
    EXPECT_EQ(algorithm_by_name("tss"), Algorithm::three_step);
    EXPECT_EQ(algorithm_by_name("log"), Algorithm::logarithmic);
    EXPECT_EQ(algorithm_by_name("diamond"), Algorithm::diamond);
    EXPECT_EQ(algorithm_by_name("hexagon"), Algorithm::hexagon);
    EXPECT_EQ(algorithm_by_name("smpuhex"), Algorithm::smpuhex);
    EXPECT_EQ(algorithm_by_name("hier"), Algorithm::hierarchical);
    EXPECT_EQ(algorithm_by_name("predictive"), Algorithm::predictive);
    EXPECT_EQ(algorithm_by_name("poc"), Algorithm::phase);
    EXPECT_FALSE(algorithm_by_name("Full"));
    EXPECT_FALSE(algorithm_by_name(""));
}

/// What "whatever is better is the next centre" needs: a walk that tries no place twice about a centre and comes back.
TEST(Walks, TryDistinctPlacesAboutTheCentreButNotTheCentre) {
    for (const SearchRow& row : search_table()) {
        for (const Walk* walk : {row.walk, row.halving_walk}) {
            if (walk == nullptr) continue;
            for (const Pattern& pattern : {walk->pattern, walk->last}) {
                ASSERT_LE(pattern.count, Pattern::most) << row.name;
                std::set<std::pair<int, int>> places{{0, 0}};
                for (int i = 0; i < pattern.count; ++i)
                    EXPECT_TRUE(places.insert({pattern.places[i].x, pattern.places[i].y}).second) << row.name;
            }
            EXPECT_GT(walk->pattern.count, 0) << row.name;
        }
    }
}

TEST(Walks, BeginsWithTheStepsOfItsRange) {
    SearchParams params;
    params.algorithm = Algorithm::three_step;
    params.range_x = 7;
    params.range_y = 16;
    EXPECT_EQ(walk_of(params).first_x, 4);
    EXPECT_EQ(walk_of(params).first_y, 8);
    params.algorithm = Algorithm::logarithmic;
    params.range_x = 16;
    params.range_y = 0;
    EXPECT_EQ(walk_of(params).first_x, 6);
    EXPECT_EQ(walk_of(params).first_y, 0);
    params.first_step = 9;
    EXPECT_EQ(walk_of(params).first_x, 9);
    EXPECT_EQ(walk_of(params).first_y, 0);
    params.step_sequence = StepSequence::halving;
    EXPECT_EQ(walk_of(params).steps, WalkSteps::patient);
    EXPECT_EQ(walk_of(params).first_y, 9);
}

TEST(VectorLimits, AreTheRangeOrWhatThePictureMakesPlausible) {
    SearchParams params;
    params.range_x = 20;
    params.range_y = 30;
    const auto limits = [&](int width, int height) {
        const VectorLimits found = vector_limits(params, width, height);
        return std::pair(found.x, found.y);
    };
    EXPECT_EQ(limits(1920, 1080), std::pair(20, 30));
    params.algorithm = Algorithm::predictive;
    EXPECT_EQ(limits(16, 20), std::pair(16, 20));
    EXPECT_EQ(limits(352, 288), std::pair(255, 127));
    EXPECT_EQ(limits(1023, 511), std::pair(255, 127));
    EXPECT_EQ(limits(1024, 512), std::pair(256, 128));
    EXPECT_EQ(limits(1920, 1080), std::pair(480, 270));
    EXPECT_EQ(limits(16384, 100), std::pair(4080, 100));
    params.farthest_y = 127;
    EXPECT_EQ(limits(1920, 1080), std::pair(480, 127));
    params.algorithm = Algorithm::hexagon;
    EXPECT_EQ(limits(1920, 1080), std::pair(20, 30));
    params.start = Start::predictors;
    EXPECT_EQ(limits(1920, 1080), std::pair(480, 127));
    EXPECT_TRUE(params.validate().empty());
    params.algorithm = Algorithm::full;
    ASSERT_EQ(params.validate().size(), 1U);
    EXPECT_NE(params.validate().front().find("'full' is none"), std::string::npos);
}

TEST(CParams, DefaultsAreThoseOfASearch) {
    tandem_motion_params given;
    tandem_motion_defaults(&given);
    EXPECT_TRUE(search_params(&given) == SearchParams{});
    EXPECT_TRUE(search_params(nullptr) == SearchParams{});
}

TEST(CParams, EveryMemberReachesTheSearch) {
    tandem_motion_params given;
    tandem_motion_defaults(&given);
    SearchParams expected;
    const auto set = [](auto& member, auto& place, auto value) { member = place = value; };
    given.metric = "ssd", expected.metric = Metric::ssd;
    given.planes = "all", expected.planes = Planes::all;
    given.interpolation = "six-tap", expected.interpolation = Interpolation::six_tap;
    given.boundary = "padded", expected.boundary = Boundary::padded;
    given.predictor = "neighbours", expected.predictor = Predictor::neighbours;
    given.step_sequence = "halving", expected.step_sequence = StepSequence::halving;
    given.block_order = "raster", expected.block_order = BlockOrder::raster;
    given.brute_force = 1, expected.brute_force = true;
    given.phase_hann = 0, expected.phase_hann = false;
    set(given.block_width, expected.block_width, 20);
    set(given.block_height, expected.block_height, 24);
    set(given.range_x, expected.range_x, 30);
    set(given.range_y, expected.range_y, 31);
    set(given.precision, expected.precision, 4);
    set(given.grid, expected.grid, 2);
    set(given.candidates, expected.candidates, 5);
    set(given.lambda_q8, expected.lambda_q8, 77U);
    set(given.rate_unit, expected.rate_unit, 8);
    set(given.null_threshold, expected.null_threshold, 11U);
    set(given.null_level, expected.null_level, 12U);
    set(given.null_gain, expected.null_gain, 13U);
    set(given.first_step, expected.first_step, 9);
    set(given.smpuhex_converged, expected.smpuhex_converged, 14U);
    set(given.smpuhex_wide, expected.smpuhex_wide, 15U);
    set(given.smpuhex_wide_small, expected.smpuhex_wide_small, 16U);
    set(given.passes, expected.passes, 3);
    set(given.wide_range, expected.wide_range, 60);
    set(given.levels, expected.levels, 2);
    set(given.level_candidates, expected.level_candidates, 6);
    set(given.phase_window, expected.phase_window, 64);
    set(given.phase_layers, expected.phase_layers, 2);
    set(given.phase_peaks, expected.phase_peaks, 7);
    EXPECT_TRUE(search_params(&given) == expected);
}

} // namespace
} // namespace tandem
