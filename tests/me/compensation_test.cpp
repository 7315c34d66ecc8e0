// SPDX-License-Identifier: BSD-2-Clause
// Predictions against samples interpolated one by one.
#include "me/samples/compensation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "machine/errors.h"
#include "pictures.h"
#include "tests/me/naive/naive_samples.h"
#include "video/sample_memory.h"

namespace tandem::test {
namespace {

struct Geometry {
    int width, height, block_width, block_height;
};

/// Noise in all three planes.
FramePtr noise(int width, int height, std::uint32_t seed) {
    auto frame = std::make_shared<Frame>(width, height);
    std::mt19937 random(seed);
    for (int plane = 0; plane < 3; ++plane) {
        const MutablePlaneView view = frame->plane(plane).view();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                view.at(x, y) = static_cast<std::uint8_t>(random() >> 24);
    }
    return frame;
}

/// Random vectors, multiples of `step` eighths, many of them far outside of the picture.
MotionField random_field(const Geometry& size, int step, std::uint32_t seed) {
    MotionField field(size.width, size.height, size.block_width, size.block_height, 1);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> eighths(-800 / step, 800 / step);
    for (Candidate& candidate : field.all())
        candidate.mv = {static_cast<std::int16_t>(eighths(random) * step),
                        static_cast<std::int16_t>(eighths(random) * step)};
    return field;
}

Mv vector_at(const MotionField& field, int x, int y) {
    return field.best(x / field.block_width(), y / field.block_height()).mv;
}

int clamped_at(PlaneView plane, int x, int y) {
    return plane.at(std::clamp(x, 0, plane.width - 1), std::clamp(y, 0, plane.height - 1));
}

/// A chroma sample at (x, y) displaced by mv sixteenths.
int chroma_at(PlaneView plane, int x, int y, Mv mv) {
    const int sixteenths_x = 16 * x + mv.x + 16 * 10000, sixteenths_y = 16 * y + mv.y + 16 * 10000;
    const int x0 = sixteenths_x / 16 - 10000, y0 = sixteenths_y / 16 - 10000;
    const int ax = sixteenths_x % 16, ay = sixteenths_y % 16;
    return ((16 - ax) * (16 - ay) * clamped_at(plane, x0, y0) + ax * (16 - ay) * clamped_at(plane, x0 + 1, y0) +
            (16 - ax) * ay * clamped_at(plane, x0, y0 + 1) + ax * ay * clamped_at(plane, x0 + 1, y0 + 1) + 128) /
           256;
}

void expect_prediction(const Geometry& size, int step, Interpolation interpolation) {
    const FramePtr reference = noise(size.width, size.height, 7);
    const MotionField field = random_field(size, step, 11);
    Workers workers(2);
    const auto prediction = predict_picture(*reference, field, interpolation, workers);
    const auto luma_at = interpolation == Interpolation::six_tap ? six_tap_sample_at : sample_at;
    for (int y = 0; y < size.height; ++y) {
        for (int x = 0; x < size.width; ++x) {
            const int expected = luma_at(reference->luma().view(), x, y, vector_at(field, x, y));
            ASSERT_EQ(prediction->luma().view().at(x, y), expected) << x << "," << y;
        }
    }
    for (int plane = 1; plane < 3; ++plane) {
        const PlaneView from = reference->plane(plane).view(), to = prediction->plane(plane).view();
        for (int y = 0; y < to.height; ++y) {
            for (int x = 0; x < to.width; ++x)
                ASSERT_EQ(to.at(x, y), chroma_at(from, x, y, vector_at(field, 2 * x, 2 * y))) << x << "," << y;
        }
    }
}

TEST(Compensation, EqualsInterpolationSampleBySample) {
    for (const Geometry& size : {Geometry{64, 48, 16, 16}, Geometry{51, 37, 16, 8}, Geometry{33, 35, 5, 7}}) {
        for (const int step : {8, 4, 2, 1})
            expect_prediction(size, step, Interpolation::bilinear);
        for (const int step : {8, 4, 2})
            expect_prediction(size, step, Interpolation::six_tap);
    }
}

/// Gives nothing, and keeps the largest piece that it was asked for.
struct LargestPiece final : SampleMemorySource {
    void* allocate(std::size_t bytes) noexcept override {
        largest = std::max(largest, bytes);
        return nullptr;
    }
    void release(void*) noexcept override {}
    std::size_t largest = 0; ///< Planes of a prediction are made by one thread.
};

TEST(Compensation, OfTheFarthestVectorsTakesNoMoreMemoryThanOfNearOnes) {
    const FramePtr reference = noise(40, 40, 6);
    MotionField field(40, 40, 16, 16, 1);
    constexpr int far = 32766;
    constexpr std::array signs{-1, 0, 1};
    for (std::size_t i = 0; i < field.all().size(); ++i) {
        const int x = signs[i % 3], y = signs[i / 3];
        field.all()[i].mv = {static_cast<std::int16_t>(x * far), static_cast<std::int16_t>(y * far)};
    }
    const auto memory = std::make_shared<LargestPiece>();
    use_sample_memory(memory);
    Workers workers(1);
    const auto prediction = predict_picture(*reference, field, Interpolation::six_tap, workers);
    use_sample_memory(nullptr);
    EXPECT_LT(memory->largest, std::size_t{100} << 10);
    for (int y = 0; y < reference->height(); ++y) {
        for (int x = 0; x < reference->width(); ++x) {
            const int expected = six_tap_sample_at(reference->luma().view(), x, y, vector_at(field, x, y));
            ASSERT_EQ(prediction->luma().view().at(x, y), expected) << x << "," << y;
        }
    }
}

TEST(Compensation, OfOneThreadAndOfManyAreTheSame) {
    const Geometry size{80, 64, 8, 8};
    const FramePtr reference = noise(size.width, size.height, 1);
    const MotionField field = random_field(size, 1, 2);
    Workers one(1), five(5);
    const auto a = predict_picture(*reference, field, Interpolation::bilinear, one);
    const auto b = predict_picture(*reference, field, Interpolation::bilinear, five);
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView first = a->plane(plane).view(), second = b->plane(plane).view();
        for (int y = 0; y < first.height; ++y)
            ASSERT_TRUE(std::equal(first.row(y), first.row(y) + first.width, second.row(y)));
    }
}

TEST(Compensation, ResidualIsTheDifferenceAbout128Clamped) {
    const FramePtr current = noise(19, 11, 3), prediction = noise(19, 11, 4);
    const auto residual = residual_picture(*current, *prediction);
    bool clamped = false;
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView a = current->plane(plane).view(), b = prediction->plane(plane).view();
        for (int y = 0; y < a.height; ++y) {
            for (int x = 0; x < a.width; ++x) {
                const int wanted = a.at(x, y) - b.at(x, y) + 128;
                ASSERT_EQ(residual->plane(plane).view().at(x, y), std::clamp(wanted, 0, 255));
                clamped = clamped || wanted < 0 || wanted > 255;
            }
        }
    }
    EXPECT_TRUE(clamped) << "the pictures do not reach the limits";
}

TEST(Compensation, RefusesWhatDoesNotFit) {
    const FramePtr reference = noise(64, 48, 5);
    Workers workers(1);
    EXPECT_THROW(predict_picture(*reference, MotionField(64, 50, 16, 16, 1), Interpolation::bilinear, workers),
                 InputError);
    MotionField field(64, 48, 16, 16, 1);
    field.block(2, 1)[0].mv = {3, 0};
    EXPECT_THROW(predict_picture(*reference, field, Interpolation::six_tap, workers), InputError);
    EXPECT_NO_THROW(predict_picture(*reference, field, Interpolation::bilinear, workers));
}

/// Where vectors are eighths, samples are predicted as blocks are.
TEST(PredictSamples, EqualsBlocksWhoseVectorsAreEighths) {
    Workers workers(3);
    const FramePtr reference = noise(38, 34, 9);
    const MotionField field = random_field({38, 34, 8, 6}, 1, 10);
    std::vector<Pels> vectors;
    for (int y = 0; y < 34; ++y)
        for (int x = 0; x < 38; ++x)
            vectors.push_back({to_pels(vector_at(field, x, y).x), to_pels(vector_at(field, x, y).y)});
    const auto by_blocks = predict_picture(*reference, field, Interpolation::bilinear, workers);
    const auto by_samples = predict_samples(*reference, vectors, workers);
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView a = by_blocks->plane(plane).view(), b = by_samples->plane(plane).view();
        for (int y = 0; y < a.height; ++y)
            for (int x = 0; x < a.width; ++x)
                ASSERT_EQ(a.at(x, y), b.at(x, y)) << "plane " << plane << " at " << x << ", " << y;
    }
}

TEST(PredictSamples, VectorsAreNotRoundedAndEachSampleHasItsOwn) {
    Workers workers(1);
    Frame reference(8, 2);
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 2; ++y)
            reference.plane(0).view().at(x, y) = static_cast<std::uint8_t>(20 * x);
    std::vector<Pels> vectors(16, Pels{});
    vectors[2] = {0.03f, 0}; // 20 * 0.03 = 0.6, rounded up; an eighth would be 2.5.
    vectors[3] = {-1e6f, 7};
    vectors[4] = {2.5f, 0.5f};
    const auto prediction = predict_samples(reference, vectors, workers);
    const std::array<int, 8> expected{0, 20, 41, 0, 130, 100, 120, 140};
    for (int x = 0; x < 8; ++x)
        EXPECT_EQ(prediction->luma().view().at(x, 0), expected[static_cast<std::size_t>(x)]) << x;
    EXPECT_THROW(predict_samples(reference, std::span(vectors).first(15), workers), InputError);
}

} // namespace
} // namespace tandem::test
