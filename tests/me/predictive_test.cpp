// SPDX-License-Identifier: BSD-2-Clause
// Blocks whose best vector alone is wanted have a way of their own (me/search/predictive.cpp).
#include <gtest/gtest.h>

#include <random>

#include "me/estimator.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

/// Of small windows, for which the way is, and what else it has to keep to.
MotionRequest random_request(std::mt19937& random) {
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    const auto contents = test::all_contents();
    const int width = test::any_side(random, 90), height = test::any_side(random, 70);
    const test::PicturePair pair =
        test::make_pair(contents[random() % contents.size()], width, height, static_cast<unsigned>(random()));
    SearchParams params;
    params.algorithm = Algorithm::predictive;
    params.block_width = one_of({16, 16, 8, 32, 11});
    params.block_height = one_of({16, 16, 8, 32, 13});
    params.range_x = one_of({0, 1, 2, 2, 3});
    params.range_y = one_of({0, 1, 1, 2});
    params.farthest_x = one_of({largest_range, largest_range, 9});
    params.metric = static_cast<Metric>(one_of({0, 0, 1, 2, 3}));
    params.boundary = static_cast<Boundary>(one_of({0, 1}));
    params.lambda_q8 = static_cast<std::uint32_t>(one_of({0, 256, 2000, 50000, 1 << 24}));
    params.rate_unit = one_of({1, 4, 8});
    return {pair.current, pair.reference, params, nullptr};
}

TEST(PredictiveSearch, EqualsThePlainSearchForOneVectorOfASmallWindow) {
    std::mt19937 random = test::cases_of(5);
    for (int round = 0; round < 200 && !HasFailure(); ++round) {
        const MotionRequest request = random_request(random);
        EXPECT_EQ(make_cpu_estimator(1)->estimate(request), test::naive_estimate(request)) << round;
    }
}

/// Of several vectors the best is the same, and as many positions are measured for it.
TEST(PredictiveSearch, MeasuresAsManyPositionsForOneVectorAsForSeveral) {
    std::mt19937 random = test::cases_of(6);
    for (int round = 0; round < 100 && !HasFailure(); ++round) {
        MotionRequest request = random_request(random);
        const MotionField one = make_cpu_estimator(1)->estimate(request);
        request.params.candidates = 2;
        EXPECT_EQ(make_cpu_estimator(1)->estimate(request).evaluated(), one.evaluated()) << round;
    }
}

} // namespace
} // namespace tandem
