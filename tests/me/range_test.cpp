// SPDX-License-Identifier: BSD-2-Clause
// Ranges as large as the picture: pure exhaustive search.
#include <gtest/gtest.h>

#include "me/estimator.h"
#include "me/search.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

TEST(WholePictureRange, EqualsThePlainSearch) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 48, 11);
    for (const bool brute : {false, true}) {
        for (const int candidates : {1, 3}) {
            MotionRequest request{pair.current, pair.reference, {}, nullptr};
            request.params.range_x = 63;
            request.params.range_y = 47;
            request.params.brute_force = brute;
            request.params.candidates = candidates;
            request.params.lambda_q8 = candidates > 1 ? 512 : 0;
            EXPECT_TRUE(make_cpu_estimator(1)->estimate(request) == test::naive_estimate(request));
        }
    }
}

/// Far above and below lie rows that no block before has asked for.
TEST(WholePictureRange, ReachesAcrossTheTallestWindow) {
    const test::PicturePair pair = test::make_pan(48, 320, 0, 150, 7);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    request.params.range_x = 4;
    request.params.range_y = 152;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    for (int row = 0; row < 10; ++row)
        EXPECT_EQ(field.best(1, row), (Candidate{mv_from_pels(0, 150), 0, 0})) << row;
}

/// One moved picture, 4,080 pels to the left at most.
TEST(WholePictureRange, ReachesAcrossTheWidestPicture) {
    constexpr int width = 4096, height = 16, move = 4000;
    const test::PicturePair noise = test::make_pair(test::Content::noise, width, height, 12);
    auto moved = std::make_shared<Frame>(width, height);
    const PlaneView from = noise.reference->luma().view();
    const MutablePlaneView to = moved->plane(0).view();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            to.at(x, y) = from.at((x + move) % width, y);
    }
    MotionRequest request{moved, noise.reference, {}, nullptr};
    request.params.range_x = 4080;
    request.params.range_y = 15;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    for (int column = 0; column < field.columns(); ++column) {
        const int wrapped = column < 6 ? move : move - width;
        EXPECT_EQ(field.best(column, 0), (Candidate{mv_from_pels(wrapped, 0), 0, 0})) << column;
    }
}

/// Where vectors are bounded by the picture's size, and the coarse search has three levels.
TEST(WholePictureRange, OfSearchesFromPredictorsEqualsThePlainSearch) {
    for (const Algorithm algorithm : {Algorithm::predictive, Algorithm::smpuhex}) {
        const test::PicturePair pair = test::make_pan(1100, 49, 210, -20, 5);
        MotionRequest request{pair.current, pair.reference, {}, nullptr};
        request.params.algorithm = algorithm;
        if (search_row(algorithm).walks) request.params.start = Start::predictors;
        request.params.range_x = request.params.range_y = 3;
        request.params.candidates = 2;
        request.params.lambda_q8 = 100;
        EXPECT_EQ(vector_limits(request.params, 1100, 49).x, 275);
        EXPECT_TRUE(make_cpu_estimator(2)->estimate(request) == test::naive_estimate(request));
    }
}

} // namespace
} // namespace tandem
