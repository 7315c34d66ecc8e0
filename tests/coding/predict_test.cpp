// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation at every level: values, and that not one sample more than needed is read or written.
#include <cstring>
#include <random>
#include <vector>

#include "tests/coding/kernel_levels.h"
#include "tests/video/guarded_memory.h"

namespace tandem {

namespace {

constexpr std::uint8_t untouched = 0x5A;
constexpr int in_stride = 29, out_stride = 23;

struct Shape {
    int width, height, half_x, half_y;
};

std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (const int width : {8, 16}) {
        for (const int height : {8, 16}) {
            for (int phase = 0; phase < 4; ++phase)
                shapes.push_back({width, height, phase % 2, phase / 2});
        }
    }
    return shapes;
}

/// 13818-2 clause 7.6.4, "//" being rounding division.
std::uint8_t half_sample(const std::uint8_t* at, int half_x, int half_y) {
    if (half_x == 0 && half_y == 0) return at[0];
    if (half_y == 0) return static_cast<std::uint8_t>((at[0] + at[1] + 1) / 2);
    if (half_x == 0) return static_cast<std::uint8_t>((at[0] + at[in_stride] + 1) / 2);
    return static_cast<std::uint8_t>((at[0] + at[1] + at[in_stride] + at[in_stride + 1] + 2) / 4);
}

void fill(std::uint8_t* samples, std::size_t count, std::mt19937& random, int kind) {
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned value = kind == 0 ? random() % 256 : kind == 1 ? 255 * (random() % 2) : 100 + random() % 3;
        samples[i] = static_cast<std::uint8_t>(value);
    }
}

/// Prediction has kernels up to AVX2.
template <class Check> void for_each_predictor(Check check) {
    for_each_level(all_predict_kernels(), check, SimdLevel::avx2);
}

} // namespace

TEST(PredictKernels, CoverEveryLevelOfThisMachine) {
    for_each_predictor([](const PredictKernels& kernels) { EXPECT_TRUE(kernels.half_pel && kernels.average); });
    EXPECT_EQ(predict_kernels().level, std::min(simd_level(), SimdLevel::avx2));
}

TEST(PredictKernels, HalfPelReadsAndWritesExactlyItsSamples) {
    std::mt19937 random(1);
    test::GuardedMemory memory(in_stride * 17);
    for (int trial = 0; trial < 24; ++trial) {
        for (const Shape& shape : all_shapes()) {
            const auto size =
                static_cast<std::size_t>((shape.height - 1 + shape.half_y) * in_stride + shape.width + shape.half_x);
            std::uint8_t* reference = memory.place(size, trial % 2 == 0);
            fill(reference, size, random, trial % 3);
            std::vector<std::uint8_t> expected(out_stride * 18, untouched);
            for (int y = 0; y < shape.height; ++y) {
                for (int x = 0; x < shape.width; ++x) {
                    expected[static_cast<std::size_t>((y + 1) * out_stride + x + 3)] =
                        half_sample(reference + y * in_stride + x, shape.half_x, shape.half_y);
                }
            }
            for_each_predictor([&](const PredictKernels& kernels) {
                std::vector<std::uint8_t> out(expected.size(), untouched);
                kernels.half_pel(reference, in_stride, shape.half_x, shape.half_y, shape.width, shape.height,
                                 out.data() + out_stride + 3, out_stride);
                ASSERT_EQ(out, expected) << shape.width << "x" << shape.height << " phase " << shape.half_x
                                         << shape.half_y;
            });
        }
    }
}

TEST(PredictKernels, AverageReadsAndWritesExactlyItsSamples) {
    std::mt19937 random(2);
    test::GuardedMemory memory(in_stride * 17), other(in_stride * 17);
    for (int trial = 0; trial < 24; ++trial) {
        for (const Shape& shape : all_shapes()) {
            const auto size = static_cast<std::size_t>((shape.height - 1) * in_stride + shape.width);
            std::uint8_t* a = memory.place(size, trial % 2 == 0);
            std::uint8_t* b = other.place(size, trial % 2 == 0);
            fill(a, size, random, trial % 3);
            fill(b, size, random, trial % 3);
            std::vector<std::uint8_t> expected(out_stride * 18, untouched);
            for (int y = 0; y < shape.height; ++y) {
                for (int x = 0; x < shape.width; ++x) {
                    expected[static_cast<std::size_t>((y + 1) * out_stride + x + 3)] =
                        static_cast<std::uint8_t>((a[y * in_stride + x] + b[y * in_stride + x] + 1) / 2);
                }
            }
            for_each_predictor([&](const PredictKernels& kernels) {
                std::vector<std::uint8_t> out(expected.size(), untouched);
                kernels.average(a, in_stride, b, in_stride, shape.width, shape.height, out.data() + out_stride + 3,
                                out_stride);
                ASSERT_EQ(out, expected) << shape.width << "x" << shape.height;
            });
        }
    }
}

} // namespace tandem
