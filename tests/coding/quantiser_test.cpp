// SPDX-License-Identifier: BSD-2-Clause
// Quantisation and reconstruction at every level: against division, and against the standards' clauses as they are
// worded.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/coding/kernel_levels.h"

namespace tandem {

namespace {

int sign(int value) { return (value > 0) - (value < 0); }

bool same_levels(const Block& a, const Block& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

QuantiserMatrix random_matrix(std::mt19937& random) {
    QuantiserMatrix matrix;
    for (std::uint8_t& entry : matrix)
        entry = static_cast<std::uint8_t>(1 + random() % 255);
    return matrix;
}

QuantiserMatrix flat_matrix(int entry) {
    QuantiserMatrix matrix;
    matrix.fill(static_cast<std::uint8_t>(entry));
    return matrix;
}

/// 13818-2 clauses 7.4.2.3, 7.4.3 and 7.4.4; "/" is division with truncation toward zero.
Block mpeg2_reconstruction(const Block& levels, const QuantiserMatrix& matrix, int scale, bool intra, int precision) {
    Block out;
    int sum = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        const int level = levels.value[i];
        const int k = intra ? 0 : sign(level);
        int value = (2 * level + k) * matrix[i] * scale / 32;
        if (intra && i == 0) value = level * (8 >> (precision - 8));
        value = value > 2047 ? 2047 : value < -2048 ? -2048 : value;
        out.value[i] = static_cast<std::int16_t>(value);
        sum += value;
    }
    if ((sum & 1) == 0) {
        const int last = out.value[63];
        out.value[63] = static_cast<std::int16_t>((last & 1) != 0 ? last - 1 : last + 1);
    }
    return out;
}

/// 11172-2 clauses 2.4.4.1 and 2.4.4.2, where quantizer_scale is the code itself.
Block mpeg1_reconstruction(const Block& levels, const QuantiserMatrix& matrix, int code, bool intra) {
    Block out;
    for (std::size_t i = 0; i < 64; ++i) {
        const int level = levels.value[i];
        int value = intra ? 2 * level * code * matrix[i] / 16 : (2 * level + sign(level)) * code * matrix[i] / 16;
        if ((value & 1) == 0) value -= sign(value);
        value = value > 2047 ? 2047 : value < -2048 ? -2048 : value;
        if (!intra && level == 0) value = 0;
        if (intra && i == 0) value = 8 * level;
        out.value[i] = static_cast<std::int16_t>(value);
    }
    return out;
}

Block random_levels(std::mt19937& random, int limit, bool intra, int precision) {
    Block levels;
    for (std::int16_t& level : levels.value) {
        const int spread = random() % 3 == 0 ? limit : random() % 2 == 0 ? 40 : 2;
        level = static_cast<std::int16_t>(std::uniform_int_distribution(-spread, spread)(random));
        if (random() % 3 == 0) level = 0;
    }
    if (intra) levels.value[0] = static_cast<std::int16_t>(random() % (1U << precision));
    return levels;
}

struct Case {
    QuantiserMatrix matrix;
    int code, scale, precision, rounding;
    bool intra, mpeg1;
    Quantiser quantiser() const { return make_quantiser(matrix, scale, intra, mpeg1, precision, rounding); }
};

Case random_case(std::mt19937& random, int trial) {
    Case made{};
    made.intra = trial % 2 == 0;
    made.mpeg1 = trial % 4 < 2;
    made.matrix = trial % 3 == 0   ? random_matrix(random)
                  : trial % 3 == 1 ? flat_matrix(trial % 6 == 1 ? 1 : 255)
                                   : (made.intra ? default_intra_matrix() : default_non_intra_matrix());
    made.code = 1 + static_cast<int>(random() % 31);
    made.scale = quantiser_scale(made.code, !made.mpeg1 && random() % 2 == 0);
    made.precision = made.mpeg1 ? 8 : 8 + static_cast<int>(random() % 4);
    made.rounding = static_cast<int>(random() % 33);
    return made;
}

} // namespace

TEST(Quantiser, ScaleFollowsTable7_6) {
    EXPECT_EQ(quantiser_scale(1, false), 2);
    EXPECT_EQ(quantiser_scale(31, false), 62);
    EXPECT_EQ(quantiser_scale(1, true), 1);
    EXPECT_EQ(quantiser_scale(8, true), 8);
    EXPECT_EQ(quantiser_scale(9, true), 10);
    EXPECT_EQ(quantiser_scale(16, true), 24);
    EXPECT_EQ(quantiser_scale(24, true), 56);
    EXPECT_EQ(quantiser_scale(25, true), 64);
    EXPECT_EQ(quantiser_scale(31, true), 112);
    for (int code = 2; code <= 31; ++code)
        EXPECT_GT(quantiser_scale(code, true), quantiser_scale(code - 1, true));
}

// Every weight there is, at both ends of each level.
TEST(Quantiser, LevelsAreThoseOfDivision) {
    for (int entry = 1; entry <= 255; ++entry) {
        for (int code = 1; code <= 31; ++code) {
            const int scale = quantiser_scale(code, code % 2 == 1);
            const int weight = entry * scale;
            const int rounding = (entry + code) % 33;
            const Quantiser quantiser = make_quantiser(flat_matrix(entry), scale, false, false, 8, rounding);
            const int bias = weight * rounding / 64;
            Block coefficients, levels;
            for (int i = 0; i < 64; ++i) {
                const int level = i / 4 + 1;
                const int smallest = (level * weight - bias + 1) / 2; // The least |c| of this level.
                const int value = std::min(i % 2 == 0 ? smallest : smallest - 1, 16320);
                coefficients.value[i] = static_cast<std::int16_t>(i % 4 < 2 ? value : -value);
            }
            transform_kernels().quantise(coefficients, quantiser, levels);
            for (int i = 0; i < 64 && weight > 1; ++i) {
                const int value = coefficients.value[i];
                const int sum = 2 * std::abs(value) + bias;
                const int unsaturated = i == 0 ? 2047 : (65535 / weight - 1) / 2; // (2 * level + 1) * weight < 65536
                const int level = std::min({sum / weight, unsaturated, 2047}) * sign(value);
                ASSERT_NEAR(levels.value[i], level, sum <= 32767 ? 0 : 1) << weight << " " << value;
            }
        }
    }
}

TEST(Quantiser, IsTheSameAtEveryLevelAndNamesWhatIsNotZero) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 3000; ++trial) {
        const Case made = random_case(random, trial);
        const Quantiser quantiser = made.quantiser();
        const int limit = trial % 5 == 0 ? 32767 : trial % 5 == 1 ? 16320 : trial % 5 == 2 ? 2000 : 200;
        Block coefficients;
        for (std::int16_t& value : coefficients.value) {
            value = static_cast<std::int16_t>(std::uniform_int_distribution(-limit - 1, limit)(random));
        }
        if (made.intra) coefficients.value[0] = static_cast<std::int16_t>(random() % 16321);
        Block expected;
        const std::uint64_t mask = all_transform_kernels().front()->quantise(coefficients, quantiser, expected);
        for (int i = 0; i < 64; ++i) {
            const bool set = (mask >> i & 1) != 0;
            ASSERT_EQ(set, expected.value[i] != 0 && !(made.intra && i == 0));
            ASSERT_LE(std::abs(expected.value[i]), made.mpeg1 ? 255 : 2047);
            const int twice = 2 * std::abs(expected.value[i]) + (made.intra ? 0 : 1);
            ASSERT_TRUE(!set || i == 0 || twice * quantiser.weight[i] / 32 <= 2047) << "saturates";
        }
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block levels, in_place = coefficients;
            std::memset(&levels, 0xA5, sizeof levels);
            ASSERT_EQ(kernels.quantise(coefficients, quantiser, levels), mask);
            ASSERT_TRUE(same_levels(levels, expected));
            ASSERT_EQ(kernels.quantise(in_place, quantiser, in_place), mask);
            ASSERT_TRUE(same_levels(in_place, expected));
        });
    }
}

// The extreme block is one that looks like a single basis function: all energy in one coefficient.
TEST(Quantiser, FindsNothingInBlocksOfLittleEnergy) {
    std::mt19937 random(10);
    int near_the_limit = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Case made = random_case(random, 2 * trial + 1);
        const Quantiser quantiser = made.quantiser();
        Block basis{}, values, coefficients, levels;
        const double root = std::sqrt(static_cast<double>(quantiser.zero_energy));
        basis.value[random() % 64] = static_cast<std::int16_t>(std::min(root, 2000.0) * (random() % 2 == 0 ? 1 : -1));
        transform_kernels().inverse_dct(basis, values);
        std::uint32_t energy = 0;
        for (const int value : values.value)
            energy += static_cast<std::uint32_t>(value * value);
        transform_kernels().forward_dct(values, coefficients);
        const std::uint64_t nonzero = transform_kernels().quantise(coefficients, quantiser, levels);
        if (energy <= quantiser.zero_energy) {
            ASSERT_EQ(nonzero, 0U) << trial;
            near_the_limit += energy > 0.9 * quantiser.zero_energy;
        }
    }
    EXPECT_GT(near_the_limit, 1000);
    const Quantiser usual = make_quantiser(default_non_intra_matrix(), 16, false, false, 8, 11);
    EXPECT_EQ(usual.zero_energy, 170U); // ((256 - 44 - 3) / 16)^2
}

TEST(Quantiser, RoundsIntraDcToItsPrecision) {
    for (int precision = 8; precision <= 11; ++precision) {
        const Quantiser quantiser = make_quantiser(default_intra_matrix(), 2, true, false, precision, 11);
        const int step = 8 * (8 >> (precision - 8));
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            for (int dc = 0; dc <= 16320; dc += 3) {
                Block coefficients{}, levels;
                coefficients.value[0] = static_cast<std::int16_t>(dc);
                ASSERT_EQ(kernels.quantise(coefficients, quantiser, levels), 0U);
                ASSERT_EQ(levels.value[0], std::min((dc + step / 2) / step, (1 << precision) - 1));
            }
        });
    }
}

TEST(Quantiser, ReconstructsAsTheStandardsSay) {
    std::mt19937 random(8);
    for (int trial = 0; trial < 6000; ++trial) {
        const Case made = random_case(random, trial);
        const Quantiser quantiser = made.quantiser();
        Block levels = random_levels(random, made.mpeg1 ? 255 : 2047, made.intra, made.precision);
        if (trial % 11 == 0) levels = Block{};
        const Block expected = made.mpeg1
                                   ? mpeg1_reconstruction(levels, made.matrix, made.code, made.intra)
                                   : mpeg2_reconstruction(levels, made.matrix, made.scale, made.intra, made.precision);
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block coefficients, in_place = levels;
            std::memset(&coefficients, 0xA5, sizeof coefficients);
            kernels.dequantise(levels, quantiser, coefficients);
            ASSERT_TRUE(same_levels(coefficients, expected)) << trial;
            kernels.dequantise(in_place, quantiser, in_place);
            ASSERT_TRUE(same_levels(in_place, expected)) << trial;
        });
    }
}

// Each level alone, so that every product and both signs meet saturation and oddification.
TEST(Quantiser, ReconstructsEveryLevel) {
    std::mt19937 random(9);
    for (const bool mpeg1 : {false, true}) {
        for (int code = 1; code <= 31; code += 3) {
            const int scale = quantiser_scale(code, false);
            const QuantiserMatrix matrix = random_matrix(random);
            const Quantiser quantiser = make_quantiser(matrix, scale, false, mpeg1, 8, 21);
            const int limit = mpeg1 ? 255 : 2047;
            for (int first = -limit; first <= limit; first += 64) {
                Block levels;
                for (int i = 0; i < 64; ++i)
                    levels.value[i] = static_cast<std::int16_t>(std::min(first + i, limit));
                const Block expected = mpeg1 ? mpeg1_reconstruction(levels, matrix, code, false)
                                             : mpeg2_reconstruction(levels, matrix, scale, false, 8);
                for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
                    Block coefficients;
                    kernels.dequantise(levels, quantiser, coefficients);
                    ASSERT_TRUE(same_levels(coefficients, expected)) << code << " " << first;
                });
            }
        }
    }
}

} // namespace tandem
