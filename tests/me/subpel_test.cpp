// SPDX-License-Identifier: BSD-2-Clause
// What refinement promises beyond equality with the plain search (search_test.cpp covers that through the estimator).
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "me/estimator.h"
#include "me/samples/subpel.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

MotionField integer_field(const test::PicturePair& pair, const SearchParams& params) {
    return make_cpu_estimator(1)->estimate({pair.current, pair.reference, params, nullptr});
}

TEST(Subpel, RefinesAnIntegerFieldAsTheEstimatorDoesInOneGo) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 100, 70, 2);
    for (const int precision : {2, 4, 8}) {
        SearchParams params;
        params.candidates = 4;
        params.lambda_q8 = 300;
        MotionField field = integer_field(pair, params);
        params.precision = precision;
        const SubpelPlanes planes(pair.reference->luma().view(), precision, Interpolation::bilinear);
        refine_subpel(pair.current->luma().view(), planes, params, nullptr, 0, field.rows(), field);
        EXPECT_EQ(field, integer_field(pair, params));
    }
}

TEST(Subpel, MeasuresOnTheReferenceItIsGivenAndLeavesOtherRowsAlone) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 100, 70, 2);
    const test::PicturePair other = test::make_pair(test::Content::noise, 100, 70, 2);
    SearchParams params;
    const MotionField before = integer_field(pair, params);
    params.precision = 2;
    const SubpelPlanes planes(other.reference->luma().view(), 2, Interpolation::bilinear);
    MotionField field = before;
    refine_subpel(pair.current->luma().view(), planes, params, nullptr, 1, 3, field);
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& candidate = field.best(column, row);
            if (row < 1 || row >= 3) {
                ASSERT_EQ(candidate, before.best(column, row));
                continue;
            }
            std::uint32_t sad = 0;
            for (int y = row * 16; y < row * 16 + 16; ++y) {
                for (int x = column * 16; x < std::min(column * 16 + 16, 100); ++x) {
                    sad += static_cast<std::uint32_t>(
                        std::abs(pair.current->luma().view().at(x, y) -
                                 test::sample_at(other.reference->luma().view(), x, y, candidate.mv)));
                }
            }
            ASSERT_EQ(candidate.distortion, sad);
        }
    }
}

/// At edges too, where rings are cut, and about half pels.
TEST(Subpel, FindsTheSameWithoutPlanes) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 96, 64, 2);
    const SubpelPlanes planes(pair.reference->luma().view(), 2, Interpolation::bilinear);
    const SubpelPlanes whole = SubpelPlanes::whole_pels_of(pair.reference->luma().view());
    for (const int candidates : {1, 4}) {
        for (const int grid : {1, 2}) {
            SearchParams params;
            params.candidates = candidates;
            params.lambda_q8 = 500;
            params.grid = params.precision = grid;
            const MotionField before = integer_field(pair, params);
            params.precision = 2;
            for (const std::uint32_t gain : {0U, 2U}) {
                params.null_gain = gain;
                MotionField expected = before, found = before;
                refine_subpel(pair.current->luma().view(), planes, params, &before, 0, before.rows(), expected);
                refine_subpel(pair.current->luma().view(), whole, params, &before, 0, before.rows(), found);
                EXPECT_EQ(found, expected) << candidates << " " << grid;
                EXPECT_EQ(found.evaluated(), expected.evaluated());
            }
        }
    }
}

/// Rings say nothing, or what is true; of blocks away from the edges with one candidate they say it of all half pels.
TEST(Subpel, RingsHoldTheDistortionsOfHalfPels) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 96, 64, 2);
    const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
    for (const int candidates : {1, 3}) {
        SearchParams params;
        params.candidates = candidates;
        const MotionField before = integer_field(pair, params);
        params.precision = 2;
        MotionField field = before;
        std::vector<MeasuredRing> rings(static_cast<std::size_t>(field.columns() * field.rows()));
        rings.front().about({}).fill(12345); // Of another picture.
        refine_subpel(current, SubpelPlanes::whole_pels_of(reference), params, nullptr, 0, field.rows(), field, nullptr,
                      rings);
        int known = 0;
        for (int block = 0; block < field.columns() * field.rows(); ++block) {
            const int column = block % field.columns(), row = block / field.columns();
            const Mv middle = before.best(column, row).mv;
            for (int place = 0; place < 25; ++place) {
                const Mv mv{static_cast<std::int16_t>(middle.x + (place % 5 - 2) * eighths_per_half_pel),
                            static_cast<std::int16_t>(middle.y + (place / 5 - 2) * eighths_per_half_pel)};
                const std::uint32_t* const distortion = rings[static_cast<std::size_t>(block)].at(mv);
                if (distortion == nullptr) continue;
                ++known;
                std::uint32_t sad = 0;
                for (int i = 0; i < 256; ++i) {
                    const int x = column * 16 + i % 16, y = row * 16 + i / 16;
                    sad +=
                        static_cast<std::uint32_t>(std::abs(current.at(x, y) - test::sample_at(reference, x, y, mv)));
                }
                ASSERT_EQ(*distortion, sad) << block << " " << place;
            }
            EXPECT_EQ(rings[static_cast<std::size_t>(block)].at({-4000, 4000}), nullptr);
        }
        const int inner_blocks = (field.columns() - 2) * (field.rows() - 2);
        EXPECT_GE(known, candidates == 1 ? 9 * inner_blocks : inner_blocks);
    }
}

TEST(Subpel, NeedsPlanesForAllButSadsOfWholeMacroblocksAtBilinearHalfPels) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 96, 64, 2);
    const SubpelPlanes whole = SubpelPlanes::whole_pels_of(pair.reference->luma().view());
    SearchParams usual;
    usual.precision = 2;
    const auto refine = [&](const SearchParams& params, MotionField field) {
        refine_subpel(pair.current->luma().view(), whole, params, nullptr, 0, 1, field);
    };
    const MotionField field(96, 64, 16, 16, 1);
    EXPECT_NO_THROW(refine(usual, field));
    EXPECT_THROW(refine(usual, MotionField(96, 64, 16, 8, 1)), std::invalid_argument);
    EXPECT_THROW(refine(usual, MotionField(90, 64, 16, 16, 1)), std::invalid_argument);
    SearchParams other = usual;
    other.precision = 4;
    EXPECT_THROW(refine(other, field), std::invalid_argument);
    other = usual;
    other.metric = Metric::satd;
    EXPECT_THROW(refine(other, field), std::invalid_argument);
    other = usual;
    other.interpolation = Interpolation::six_tap;
    EXPECT_THROW(refine(other, field), std::invalid_argument);
}

/// The search left zero alone in its list, which refinement would otherwise walk on from.
TEST(Subpel, ZeroThatMeetsTheThresholdExactlyIsNotRefined) {
    const test::PicturePair pair = test::make_pan(64, 64, 1, 0, 3);
    SearchParams params;
    params.precision = 2;
    const std::uint32_t at_zero =
        distortion_kernels().sad(pair.current->luma().view().row(16) + 16, pair.current->luma().stride(),
                                 pair.reference->luma().view().row(16) + 16, pair.reference->luma().stride(), 16, 16);
    params.null_threshold = at_zero - 1;
    EXPECT_NE(integer_field(pair, params).best(1, 1).mv, Mv{});
    params.null_threshold = at_zero;
    EXPECT_EQ(integer_field(pair, params).best(1, 1), (Candidate{{0, 0}, at_zero, at_zero}));
}

TEST(Subpel, PositionsOutsideAreNotTriedAndABlockAlwaysHasAVector) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 16, 16, 2);
    MotionField field(16, 16, 16, 16, 2);
    field.block(0, 0)[0] = {mv_from_pels(1, 0), 0, 0};
    SearchParams params;
    params.precision = 2;
    params.candidates = 2;
    const SubpelPlanes planes(pair.reference->luma().view(), 2, Interpolation::bilinear);
    refine_subpel(pair.current->luma().view(), planes, params, nullptr, 0, 1, field);
    EXPECT_EQ(field.block(0, 0)[0].mv, Mv{});
    EXPECT_NE(field.block(0, 0)[0].distortion, UINT32_MAX);
    EXPECT_EQ(field.block(0, 0)[1], Candidate{});
}

} // namespace
} // namespace tandem
