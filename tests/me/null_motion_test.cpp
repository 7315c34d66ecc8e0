// SPDX-License-Identifier: BSD-2-Clause
// Zero that is kept unsearched, or wins over better vectors.
#include <gtest/gtest.h>

#include <algorithm>

#include "me/estimator.h"
#include "me/kernels/distortion.h"
#include "me/search.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

std::uint32_t sad_at_zero(const test::PicturePair& pair) {
    return distortion_kernels().sad(pair.current->luma().view().row(16) + 16, pair.current->luma().stride(),
                                    pair.reference->luma().view().row(16) + 16, pair.reference->luma().stride(), 16,
                                    16);
}

TEST(NullMotion, ThresholdKeepsZeroUnsearchedAndGainPutsItFirst) {
    const test::PicturePair pair = test::make_pan(64, 64, 3, 0, 3);
    SearchParams params;
    params.candidates = 4;
    const auto search = [&] {
        return make_cpu_estimator(1)->estimate({pair.current, pair.reference, params, nullptr});
    };
    EXPECT_EQ(search().best(1, 1).mv, mv_from_pels(3, 0));
    const std::uint32_t at_zero = sad_at_zero(pair);
    params.null_threshold = at_zero - 1;
    EXPECT_EQ(search().best(1, 1).mv, mv_from_pels(3, 0));
    params.null_threshold = at_zero;
    EXPECT_EQ(search().block(1, 1)[0], (Candidate{{0, 0}, at_zero, at_zero}));
    EXPECT_EQ(search().block(1, 1)[1], Candidate{});

    params.null_threshold = 0;
    params.null_level = (at_zero - 1) / 256;
    EXPECT_EQ(search().best(1, 1).mv, mv_from_pels(3, 0));
    params.null_level = (at_zero + 255) / 256;
    EXPECT_EQ(search().block(1, 1)[0], (Candidate{{0, 0}, at_zero, at_zero}));
    EXPECT_EQ(search().block(1, 1)[1], Candidate{});

    params.null_level = 0;
    params.null_gain = at_zero / 256;
    const bool exact = at_zero % 256 == 0;
    EXPECT_EQ(search().best(1, 1).mv, exact ? Mv{} : mv_from_pels(3, 0));
    params.null_gain = at_zero / 256 + 1;
    EXPECT_EQ(search().block(1, 1)[0].mv, Mv{});
    EXPECT_EQ(search().block(1, 1)[1].mv, mv_from_pels(3, 0));
}

/// Blocks with one candidate have a way of their own in some searches.
TEST(NullMotion, IsThatOfThePlainSearchWithOneCandidate) {
    const test::PicturePair pair = test::make_pan(64, 64, 3, 0, 3);
    const std::uint32_t at_zero = sad_at_zero(pair);
    for (const Algorithm algorithm : {Algorithm::predictive, Algorithm::three_step, Algorithm::logarithmic,
                                      Algorithm::diamond, Algorithm::hexagon, Algorithm::full}) {
        for (const int precision : {1, 2}) {
            for (const std::uint32_t threshold : {at_zero - 1, at_zero}) {
                SearchParams params;
                params.algorithm = algorithm;
                params.range_x = params.range_y = 2;
                params.precision = precision;
                params.null_threshold = threshold;
                const MotionRequest request{pair.current, pair.reference, params, nullptr};
                const MotionField found = make_cpu_estimator(1)->estimate(request);
                EXPECT_TRUE(std::ranges::equal(found.all(), test::naive_estimate(request).all()))
                    << search_row(algorithm).name << ", " << precision << ", " << threshold - at_zero;
            }
        }
    }
}

} // namespace
} // namespace tandem
