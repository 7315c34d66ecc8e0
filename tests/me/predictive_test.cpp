// SPDX-License-Identifier: BSD-2-Clause
// Blocks whose best vector alone is wanted have a way of their own (me/search/predictive.cpp).
#include <gtest/gtest.h>

#include <algorithm>
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

MotionRequest random_wide_request(std::mt19937& random) {
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    MotionRequest request = random_request(random);
    const auto contents = test::all_contents();
    const test::PicturePair pair = test::make_pair(contents[random() % contents.size()], test::any_side(random, 200),
                                                   test::any_side(random, 120), static_cast<unsigned>(random()));
    request.current = pair.current;
    request.reference = pair.reference;
    request.params.wide_range = one_of({1, 7, 20, 64, 300});
    request.params.candidates = one_of({1, 1, 3, 4, 16});
    return request;
}

TEST(PredictiveSearch, EqualsThePlainSearchOfAWideRange) {
    std::mt19937 random = test::cases_of(7);
    for (int round = 0; round < 40 && !HasFailure(); ++round) {
        const MotionRequest request = random_wide_request(random);
        EXPECT_EQ(make_cpu_estimator(1)->estimate(request), test::naive_estimate(request)) << round;
    }
}

/// Blocks whose neighbours all move otherwise, each by a multiple of 4 pels within 28 of zero.
test::PicturePair make_shuffled(int width, int height) {
    constexpr int side = 16, steps = 7;
    const test::PicturePair pair = test::make_pair(test::Content::smooth, width, height, 8);
    auto current = std::make_shared<Frame>(width, height);
    std::mt19937 random(9);
    for (int y = 0; y < height; y += side) {
        for (int x = 0; x < width; x += side) {
            const auto moved = [&](int at, int size) {
                return std::clamp(at + 4 * (static_cast<int>(random() % (2 * steps + 1)) - steps), 0, size - side);
            };
            const int from_x = moved(x, width), from_y = moved(y, height);
            for (int i = 0; i < side * side; ++i)
                current->plane(0).view().at(x + i % side, y + i / side) =
                    pair.reference->luma().view().at(from_x + i % side, from_y + i / side);
        }
    }
    return {current, pair.reference};
}

TEST(PredictiveSearch, AWideRangeFindsWhatTheCellsCannotTellApart) {
    const test::PicturePair pair = make_shuffled(320, 192);
    const auto found = [&](int wide_range) {
        SearchParams params;
        params.algorithm = Algorithm::predictive;
        params.range_x = params.range_y = 2;
        params.wide_range = wide_range;
        params.farthest_x = params.farthest_y = 63; // Else cells lead too far away to come back.
        const MotionField field = make_cpu_estimator(1)->estimate({pair.current, pair.reference, params, nullptr});
        const auto all = field.all();
        return std::count_if(all.begin(), all.end(), [](const Candidate& best) { return best.distortion == 0; });
    };
    constexpr int blocks = 20 * 12;
    EXPECT_LT(found(0), blocks / 2);
    EXPECT_GT(found(60), blocks * 3 / 4);
}

/// A picture moves by `pan` pels, but for single blocks, which move by `least` to `least` + 12. How many of those are
/// not found.
int blocks_that_are_lost(int pan, int least) {
    constexpr int side = 16;
    const test::PicturePair pair = test::make_pan(480, 192, pan, 0, 8);
    const PlaneView from = pair.reference->luma().view();
    auto current = std::make_shared<Frame>(480, 192);
    copy_and_extend(pair.current->luma().view(), current->plane(0).view());
    std::mt19937 random(11);
    const auto for_each = [&](const auto& visit) {
        for (int row = 1; row < 12; row += 4)
            for (int column = 1; column < 30; column += 4)
                if (side * column >= least + 12) visit(column, row); // Those before it would come from outside.
    };
    for_each([&](int column, int row) {
        const int x = side * column, y = side * row, by_x = -least - 4 * static_cast<int>(random() % 4);
        for (int i = 0; i < side * side; ++i)
            current->plane(0).view().at(x + i % side, y + i / side) = from.at(x + by_x + i % side, y + i / side);
    });
    SearchParams params;
    params.algorithm = Algorithm::predictive;
    params.range_x = params.range_y = 2;
    params.wide_range = 60;
    const MotionField field = make_cpu_estimator(1)->estimate({current, pair.reference, params, nullptr});
    int lost = 0;
    for_each([&](int column, int row) { lost += field.best(column, row).distortion != 0; });
    return lost;
}

/// A wide search about 130 pels does not reach them.
TEST(PredictiveSearch, AWideRangeFindsBlocksNearZeroAmongSuchThatMoveFar) {
    EXPECT_EQ(blocks_that_are_lost(130, 0), 0);
}

TEST(PredictiveSearch, AWideRangeFindsSmallObjectsThatMoveFar) { EXPECT_EQ(blocks_that_are_lost(0, 100), 0); }

/// Cut blocks and such that come from farther than the search goes among them, and noise that hides some drawings.
TEST(PredictiveSearch, EqualsThePlainSearchOfDrawings) {
    std::mt19937 random = test::cases_of(8);
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    for (int round = 0; round < 16 && !HasFailure(); ++round) {
        MotionRequest request = random_wide_request(random);
        const test::ShuffledDrawing drawing{.farthest = 150,
                                            .bright = one_of({50, 5}),
                                            .contrast = one_of({160, 40, 10, 2}),
                                            .noisy = one_of({0, 5, 10})};
        const test::PicturePair pair = test::make_shuffled_drawing(
            test::any_side(random, 330), test::any_side(random, 40), drawing, static_cast<unsigned>(random()));
        request.current = pair.current;
        request.reference = pair.reference;
        request.params.lambda_q8 = static_cast<std::uint32_t>(random() % 1000);
        request.params.null_gain = random() % 4 == 0 ? 1 : 0;
        EXPECT_EQ(make_cpu_estimator(1)->estimate(request), test::naive_estimate(request)) << round;
    }
}

/// How many of 240 blocks have an exact copy, or, where there is noise, one that differs by less than 1 a sample.
std::ptrdiff_t blocks_found(const test::ShuffledDrawing& drawing, int wide_range) {
    const test::PicturePair pair = test::make_shuffled_drawing(320, 192, drawing, 10);
    SearchParams params;
    params.algorithm = Algorithm::predictive;
    params.range_x = params.range_y = 2;
    params.wide_range = wide_range;
    const MotionField field = make_cpu_estimator(1)->estimate({pair.current, pair.reference, params, nullptr});
    const auto all = field.all();
    const std::uint32_t most = drawing.noisy > 0 ? 255 : 0;
    return std::count_if(all.begin(), all.end(), [most](const Candidate& best) { return best.distortion <= most; });
}

TEST(PredictiveSearch, FindsTheBlocksOfADrawingThatAveragesAway) {
    EXPECT_LT(blocks_found({}, 0), 120);
    EXPECT_EQ(blocks_found({}, 60), 240);
}

/// Dots whose blocks differ by 3 a sample on average.
TEST(PredictiveSearch, FindsTheBlocksOfADrawingThatDiffersLittle) {
    EXPECT_LT(blocks_found({.bright = 4, .contrast = 40}, 0), 120);
    EXPECT_EQ(blocks_found({.bright = 4, .contrast = 40}, 60), 240);
}

/// The same noise passes for a camera's where the contrast is low.
TEST(PredictiveSearch, TellsADrawingByItsContrast) {
    EXPECT_EQ(blocks_found({.noisy = 20}, 60), 240);
    EXPECT_LT(blocks_found({.contrast = 16, .noisy = 20}, 60), 120);
}

} // namespace
} // namespace tandem
