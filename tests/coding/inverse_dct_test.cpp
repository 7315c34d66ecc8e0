// SPDX-License-Identifier: BSD-2-Clause
// The inverse DCT of every level: IEEE 1180-1990's test, and how near it comes to the real-valued inverse.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/coding/kernel_levels.h"
#include "tests/coding/real_dct.h"

namespace tandem {

namespace {

/// The generator that IEEE 1180-1990 prescribes.
class StandardRandom {
  public:
    /// -low..high.
    int next(int low, int high) {
        state_ = state_ * 1103515245U + 12345U;
        const double unit = static_cast<double>(state_ & 0x7FFFFFFEU) / static_cast<double>(0x7FFFFFFF);
        return static_cast<int>(unit * (low + high + 1)) - low;
    }

  private:
    std::uint32_t state_ = 1;
};

struct Sample {
    Block coefficients;
    RealBlock values; ///< Of the real-valued inverse, not rounded.
};

Sample make_sample(const RealBlock& pixels) {
    const RealBlock transformed = real_forward_dct(pixels);
    Sample sample;
    RealBlock rounded;
    for (std::size_t i = 0; i < 64; ++i) {
        rounded[i] = std::clamp(std::round(transformed[i]), -2048.0, 2047.0);
        sample.coefficients.value[i] = static_cast<std::int16_t>(rounded[i]);
    }
    sample.values = real_inverse_dct(rounded);
    return sample;
}

std::vector<Sample> standard_samples(int low, int high, int sign) {
    StandardRandom random;
    std::vector<Sample> samples(10000);
    for (Sample& sample : samples) {
        RealBlock pixels;
        for (double& pixel : pixels)
            pixel = sign * random.next(low, high);
        sample = make_sample(pixels);
    }
    return samples;
}

void check_standard_criteria(const std::vector<Sample>& samples, const TransformKernels& kernels) {
    std::array<double, 64> sum{}, sum_of_squares{};
    double peak = 0;
    for (const Sample& sample : samples) {
        Block values;
        kernels.inverse_dct(sample.coefficients, values);
        for (std::size_t i = 0; i < 64; ++i) {
            const double expected = std::clamp(std::floor(sample.values[i] + 0.5), -256.0, 255.0);
            const double error = std::clamp<int>(values.value[i], -256, 255) - expected;
            peak = std::max(peak, std::abs(error));
            sum[i] += error;
            sum_of_squares[i] += error * error;
        }
    }
    const auto count = static_cast<double>(samples.size());
    double total = 0, total_of_squares = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_LE(sum_of_squares[i] / count, 0.06) << "mean square error of position " << i;
        EXPECT_LE(std::abs(sum[i]) / count, 0.015) << "mean error of position " << i;
        total += sum[i];
        total_of_squares += sum_of_squares[i];
    }
    EXPECT_LE(peak, 1);
    EXPECT_LE(total_of_squares / count / 64, 0.02);
    EXPECT_LE(std::abs(total) / count / 64, 0.0015);
}

} // namespace

TEST(InverseDct, PassesIeee1180) {
    struct Range {
        int low, high;
    };
    for (const Range range : {Range{256, 255}, Range{5, 5}, Range{300, 300}}) {
        for (const int sign : {1, -1}) {
            SCOPED_TRACE(testing::Message() << "range " << -range.low << ".." << range.high << ", sign " << sign);
            const std::vector<Sample> samples = standard_samples(range.low, range.high, sign);
            for_each_level(all_transform_kernels(),
                           [&](const TransformKernels& kernels) { check_standard_criteria(samples, kernels); });
        }
    }
}

TEST(InverseDct, MakesZeroOfZero) {
    for_each_level(all_transform_kernels(), [](const TransformKernels& kernels) {
        const Block zero{};
        Block values;
        std::fill(std::begin(values.value), std::end(values.value), std::int16_t{77});
        kernels.inverse_dct(zero, values);
        EXPECT_TRUE(std::all_of(std::begin(values.value), std::end(values.value), [](int v) { return v == 0; }));
    });
}

// Long chains of predicted pictures add up what a decoder's inverse does otherwise than ours.
TEST(InverseDct, IsTheRoundedRealInverseInAllButOneOfTenThousand) {
    for (const int range : {255, 40, 6}) {
        std::mt19937 random(5);
        std::vector<Sample> samples(2000);
        for (Sample& sample : samples) {
            RealBlock pixels;
            for (double& pixel : pixels)
                pixel = std::uniform_int_distribution(-range, range)(random);
            sample = make_sample(pixels);
        }
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            int different = 0;
            for (const Sample& sample : samples) {
                Block values;
                kernels.inverse_dct(sample.coefficients, values);
                for (std::size_t i = 0; i < 64; ++i)
                    different += values.value[i] != std::nearbyint(sample.values[i]);
            }
            EXPECT_LE(different, 64 * 2000 / 10000);
        });
    }
}

// Legal streams may hold any coefficients -2048..2047.
TEST(InverseDct, IsRightForSaturatedCoefficients) {
    std::mt19937 random(6);
    for (int trial = 0; trial < 2000; ++trial) {
        Block coefficients;
        RealBlock real;
        for (std::size_t i = 0; i < 64; ++i) {
            const bool cosine_like = trial % 4 == 3 && i % 9 != 0;
            coefficients.value[i] = cosine_like         ? std::int16_t{0}
                                    : random() % 2 == 0 ? std::int16_t{2047}
                                                        : std::int16_t{-2048};
            if (trial == 0) coefficients.value[i] = 2047;
            if (trial == 1) coefficients.value[i] = -2048;
            real[i] = coefficients.value[i];
        }
        const RealBlock expected = real_inverse_dct(real);
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block values;
            kernels.inverse_dct(coefficients, values);
            for (std::size_t i = 0; i < 64; ++i) {
                ASSERT_NEAR(values.value[i], std::clamp(expected[i], -32768.0, 32767.0), 0.51) << i;
            }
        });
    }
}

} // namespace tandem
