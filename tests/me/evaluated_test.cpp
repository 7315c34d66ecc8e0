// SPDX-License-Identifier: BSD-2-Clause
// How many positions each search measured.
#include <gtest/gtest.h>

#include "machine/simd_level.h"
#include "me/estimator.h"
#include "me/search.h"
#include "pictures.h"

namespace tandem {
namespace {

MotionField search(const test::PicturePair& pair, const SearchParams& params, int threads = 1) {
    return make_cpu_estimator(threads)->estimate({pair.current, pair.reference, params, nullptr});
}

TEST(Evaluated, BruteForceMeasuresEachPositionOfTheWindowOnce) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 48, 1);
    SearchParams params;
    params.brute_force = true;
    params.range_x = 5;
    params.range_y = 3;
    params.boundary = Boundary::padded;
    const MotionField field = search(pair, params);
    const std::uint64_t blocks = 4 * 3, positions = 11 * 7;
    // Beside the positions there are zero and the walk from it, which full search starts with.
    EXPECT_GE(field.evaluated(), blocks * positions);
    EXPECT_LE(field.evaluated(), blocks * (positions + 1 + 4 * (5 + 3) + 4));
    EXPECT_EQ(field.evaluated(), field.evaluated(0) + field.evaluated(1) + field.evaluated(2));
}

/// Where already the bits of a row's vectors cost more than the best vector, none of them is measured or counted.
TEST(Evaluated, RowsThatCannotWinAreNotCounted) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 48, 1);
    SearchParams params;
    params.brute_force = true;
    params.range_x = 5;
    params.range_y = 3;
    params.boundary = Boundary::padded;
    params.lambda_q8 = 1 << 24;
    // Zero twice, its four neighbours, and the row of zero.
    EXPECT_LE(search(pair, params).evaluated(), 4u * 3 * (2 + 4 + 11));
}

TEST(Evaluated, EliminationMeasuresFewer) {
    const test::PicturePair pair = test::make_pan(160, 128, 7, -4, 2);
    SearchParams params;
    const MotionField some = search(pair, params);
    params.brute_force = true;
    const MotionField all = search(pair, params);
    EXPECT_EQ(some, all);
    EXPECT_GT(some.evaluated(), 0u);
    EXPECT_LT(some.evaluated(), all.evaluated() / 2);
}

TEST(Evaluated, SmallWindowsAreMeasuredWholeForSeveralCandidates) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 160, 128, 3);
    for (const Metric metric : {Metric::sad, Metric::ssd, Metric::satd}) {
        SearchParams params;
        params.metric = metric;
        params.candidates = 2;
        params.range_x = params.range_y = 12;
        const std::uint64_t measured = search(pair, params).evaluated();
        params.brute_force = true;
        const std::uint64_t all = search(pair, params).evaluated();
        EXPECT_EQ(measured, all);
        params.brute_force = false;
        params.eliminate_always = true;
        EXPECT_LT(search(pair, params).evaluated(), all / 2);
        params.eliminate_always = false;
        params.candidates = 1;
        EXPECT_LT(search(pair, params).evaluated(), all / 2);
    }
}

TEST(Evaluated, RefinementAddsItsPositions) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 64, 48, 3);
    SearchParams params;
    params.algorithm = Algorithm::three_step;
    params.range_x = params.range_y = 0;
    params.boundary = Boundary::padded;
    const std::uint64_t whole = search(pair, params).evaluated();
    EXPECT_GE(whole, 12u);
    params.precision = 2;
    // Zero again, then the one candidate with its 8 neighbours.
    EXPECT_EQ(search(pair, params).evaluated(), whole + 12u * 10u);
    params.precision = 4;
    EXPECT_EQ(search(pair, params).evaluated(), whole + 12u * 18u);
}

/// A row that was measured at no position is counted, to none; a GPU's, which nobody counts, is not.
TEST(Evaluated, RowsOfAGivenFieldWithoutVectorsAreCounted) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 48, 1);
    MotionRequest request{pair.current, pair.reference, {}, std::make_shared<MotionField>(64, 48, 16, 16, 1)};
    request.params.algorithm = Algorithm::given;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    EXPECT_EQ(field.evaluated(), 0u);
    for (int row = 0; row < field.rows(); ++row)
        EXPECT_TRUE(field.is_counted(row)) << row;
}

TEST(Evaluated, CoarseToFineTriesEachVectorOfALevelOnce) {
    const test::PicturePair pair = test::make_pair(test::Content::black, 64, 48, 3);
    SearchParams params;
    params.algorithm = Algorithm::hierarchical;
    params.range_x = params.range_y = 2;
    params.levels = 2;
    params.level_candidates = 8;
    params.boundary = Boundary::padded;
    // Zero, the window at half size, and all of the window at full size but the corner whose vector was not kept.
    const std::uint64_t blocks = 4 * 3, at_half = 3 * 3, at_full = 5 * 5 - 1;
    EXPECT_EQ(search(pair, params).evaluated(), blocks * (1 + at_half + at_full));
}

void expect_same_count(const test::PicturePair& pair, const SearchParams& params) {
    const MotionField field = search(pair, params);
    EXPECT_GT(field.evaluated(), std::uint64_t{field.all().size()});
    EXPECT_EQ(search(pair, params, 3).evaluated(), field.evaluated());
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
        if (level > best_simd_level()) continue;
        set_simd_level(level);
        EXPECT_EQ(search(pair, params).evaluated(), field.evaluated()) << name_of(level);
    }
    set_simd_level(best_simd_level());
    MotionRequest band{pair.current, pair.reference, params, nullptr};
    band.end_row = 4;
    const std::uint64_t top = make_cpu_estimator(1)->estimate(band).evaluated();
    band.first_row = 4;
    band.end_row = -1;
    EXPECT_EQ(top + make_cpu_estimator(1)->estimate(band).evaluated(), field.evaluated());
}

TEST(Evaluated, IsTheSameForAnyThreadsLevelAndBands) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 150, 120, 4);
    for (const SearchRow& row : search_table()) {
        SCOPED_TRACE(std::string(row.name));
        if (row.from_hint) continue;
        SearchParams params;
        params.algorithm = row.algorithm;
        params.precision = 2;
        params.passes = 3;
        params.predictor = Predictor::neighbours;
        params.candidates = 2;
        if (!make_cpu_estimator(1)->supports(params)) continue;
        expect_same_count(pair, params);
        params.start = Start::predictors;
        if (row.walks) expect_same_count(pair, params);
    }
}

TEST(NullMotion, TheLevelCountsTheBlocksOwnSamples) {
    const int width = 40, height = 24; // The last block of each row is 8 wide, those of the second row 8 high.
    MotionRequest request;
    const auto current = std::make_shared<Frame>(width, height), reference = std::make_shared<Frame>(width, height);
    for (int y = 0; y < height; ++y) {
        std::fill_n(current->plane(0).view().row(y), width, std::uint8_t{104});
        std::fill_n(reference->plane(0).view().row(y), width, std::uint8_t{100});
    }
    request.current = current;
    request.reference = reference;
    request.params.null_level = 4;
    EXPECT_EQ(make_cpu_estimator(1)->estimate(request).evaluated(), 6u);
    request.params.null_level = 3;
    EXPECT_GT(make_cpu_estimator(1)->estimate(request).evaluated(1), 3u);
}

} // namespace
} // namespace tandem
