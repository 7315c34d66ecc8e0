// SPDX-License-Identifier: BSD-2-Clause
// Vectors from elsewhere: measured as they are, carried to another block grid, and as predictors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "machine/errors.h"
#include "me/estimator.h"
#include "me/samples/resample.h"
#include "me/search.h"
#include "pictures.h"
#include "tests/me/naive/naive_samples.h"

namespace tandem {
namespace {

TEST(GivenVectors, MeasuresAFoundFieldAsTheSearchDidWhateverRangeAndPrecision) {
    const test::PicturePair pair = test::in_colour(test::make_pair(test::Content::smooth, 75, 53, 1));
    for (const Boundary boundary : {Boundary::inside, Boundary::padded}) {
        for (const Planes planes : {Planes::luma, Planes::all}) {
            for (const Metric metric : {Metric::sad, Metric::ssd, Metric::satd, Metric::zsad, Metric::ncc}) {
                for (const Interpolation interpolation : {Interpolation::bilinear, Interpolation::six_tap}) {
                    MotionRequest request{pair.current, pair.reference, {}, nullptr};
                    request.params.boundary = boundary;
                    request.params.planes = planes;
                    request.params.metric = metric;
                    request.params.interpolation = interpolation;
                    request.params.precision = interpolation == Interpolation::six_tap ? 4 : 8;
                    request.params.lambda_q8 = 700;
                    request.params.range_x = request.params.range_y = 9;
                    const auto found = std::make_shared<MotionField>(make_cpu_estimator(1)->estimate(request));
                    request.params.algorithm = Algorithm::given;
                    request.params.precision = 1;
                    request.params.range_x = request.params.range_y = 2;
                    request.hint = found;
                    const MotionField again = make_cpu_estimator(2)->estimate(request);
                    EXPECT_EQ(again, *found);
                    EXPECT_EQ(again.evaluated(), found->all().size());
                }
            }
        }
    }
}

/// The sum of |current - prediction| over a block, sample by sample.
std::uint32_t plain_sad(const test::PicturePair& pair, int block, int column, int row, Mv mv) {
    const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
    std::uint32_t sum = 0;
    for (int y = row * block; y < std::min((row + 1) * block, current.height); ++y) {
        for (int x = column * block; x < std::min((column + 1) * block, current.width); ++x)
            sum += static_cast<std::uint32_t>(std::abs(current.at(x, y) - test::sample_at(reference, x, y, mv)));
    }
    return sum;
}

TEST(GivenVectors, MeasuresAnyVectorOnPaddedPictures) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 61, 45, 2);
    std::mt19937 random(3);
    for (const int reach : {40, 400, 32767}) {
        MotionRequest request{pair.current, pair.reference, {}, nullptr};
        SearchParams& params = request.params;
        params.algorithm = Algorithm::given;
        params.block_width = params.block_height = 8;
        params.boundary = Boundary::padded;
        params.range_x = params.range_y = 5;
        params.candidates = 2;
        auto hint = std::make_shared<MotionField>(61, 45, 8, 8, 1);
        std::uint64_t vectors = 0;
        for (Candidate& candidate : hint->all()) {
            const auto component = [&] {
                return static_cast<std::int16_t>(static_cast<int>(random() % static_cast<unsigned>(2 * reach + 1)) -
                                                 reach);
            };
            if (random() % 6 == 0) continue;
            candidate = {{component(), component()}, 0, 0};
            ++vectors;
        }
        request.hint = hint;
        const MotionField field = make_cpu_estimator(1)->estimate(request);
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                const Candidate& given = hint->best(column, row);
                Candidate expected;
                if (given.distortion != UINT32_MAX) {
                    expected.mv = given.mv;
                    expected.cost = expected.distortion = plain_sad(pair, 8, column, row, given.mv);
                }
                EXPECT_EQ(field.best(column, row), expected) << column << "," << row;
                EXPECT_EQ(field.block(column, row)[1], Candidate{});
            }
        }
        EXPECT_EQ(field.evaluated(), vectors);
    }
}

TEST(GivenVectors, EighthsAreRefusedWhereTheSixTapsEnd) {
    const FramePtr frame = std::make_shared<Frame>(48, 32);
    MotionRequest request{frame, frame, {}, nullptr};
    request.params.algorithm = Algorithm::given;
    request.params.interpolation = Interpolation::six_tap;
    auto hint = std::make_shared<MotionField>(48, 32, 16, 16, 1);
    hint->block(1, 0)[0] = {{3, 0}, 0, 0};
    request.hint = hint;
    EXPECT_THROW(make_cpu_estimator(1)->estimate(request), InputError);
}

TEST(GivenVectors, StayInsideWhereTheBoundarySaysSo) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 48, 32, 2);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    request.params.algorithm = Algorithm::given;
    request.params.precision = 2;
    auto hint = std::make_shared<MotionField>(48, 32, 16, 16, 1);
    for (Candidate& candidate : hint->all())
        candidate = {{4, 0}, 0, 0}; // Half a pel to the right: too far for the last column.
    request.hint = hint;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    for (int row = 0; row < 2; ++row) {
        EXPECT_EQ(field.best(0, row).mv, (Mv{4, 0}));
        EXPECT_EQ(field.best(1, row).mv, (Mv{4, 0}));
        EXPECT_EQ(field.best(2, row), Candidate{});
    }
}

TEST(GivenVectors, NeedAHint) {
    const FramePtr frame = std::make_shared<Frame>(48, 32);
    MotionRequest request{frame, frame, {}, nullptr};
    request.params.algorithm = Algorithm::given;
    try {
        make_cpu_estimator(1)->estimate(request);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "the search 'given' needs a field to take its vectors from");
    }
}

TEST(GivenVectors, AreMeasuredAgainstTheirNeighbours) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 48, 32, 2);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    request.params.algorithm = Algorithm::given;
    request.params.predictor = Predictor::neighbours;
    request.params.lambda_q8 = 256;
    auto hint = std::make_shared<MotionField>(48, 32, 16, 16, 1);
    hint->block(0, 0)[0] = {{8, 0}, 0, 0};
    hint->block(1, 0)[0] = {{8, 0}, 0, 0};
    hint->block(2, 0)[0] = {{0, 0}, 0, 0};
    request.hint = hint;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    // One pel is two steps of half a pel: 5 bits against zero, 1 against itself; the other component has 1.
    const auto bits = [&](int column) { return field.best(column, 0).cost - field.best(column, 0).distortion; };
    EXPECT_EQ(bits(0), 6u);
    EXPECT_EQ(bits(1), 2u);
    EXPECT_EQ(bits(2), 6u);
}

TEST(Resample, EachBlockTakesTheOldOneOfItsCentre) {
    MotionField field(50, 40, 16, 16, 2);
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            field.block(column, row)[0] = {mv_from_pels(column, row), 5, 6};
            field.block(column, row)[1] = {mv_from_pels(-column, -row), 7, 8};
        }
    }
    for (const auto& [width, height] : {std::pair{8, 8}, {16, 16}, {32, 24}, {4, 128}, {11, 7}, {1, 1}}) {
        const MotionField other = resample(field, width, height);
        EXPECT_EQ(other.block_width(), width);
        EXPECT_EQ(other.block_height(), height);
        EXPECT_EQ(other.candidates(), 2);
        for (int row = 0; row < other.rows(); ++row) {
            for (int column = 0; column < other.columns(); ++column) {
                const int right = std::min((column + 1) * width, 50), bottom = std::min((row + 1) * height, 40);
                const int middle_x = (column * width + right) / 2, middle_y = (row * height + bottom) / 2;
                EXPECT_EQ(other.block(column, row)[0].mv, mv_from_pels(middle_x / 16, middle_y / 16));
                EXPECT_EQ(other.block(column, row)[1].mv, mv_from_pels(-(middle_x / 16), -(middle_y / 16)));
            }
        }
    }
    EXPECT_EQ(resample(field, 16, 16), field);
    EXPECT_THROW(resample(field, 0, 16), std::invalid_argument);
}

} // namespace
} // namespace tandem
