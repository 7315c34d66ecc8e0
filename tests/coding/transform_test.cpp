// SPDX-License-Identifier: BSD-2-Clause
// The kernels of transform.h but the inverse DCT and the quantiser: against their definitions, and every level against
// the scalar one on random, extreme and oddly placed data.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "tests/coding/kernel_levels.h"
#include "tests/coding/real_dct.h"

namespace tandem {

namespace {

constexpr std::uint8_t poison = 0xA5;

/// A patch of samples somewhere inside a larger area that must stay as it was.
struct Area {
    static constexpr std::ptrdiff_t stride = 37; // Odd, so that rows start at every alignment.
    std::vector<std::uint8_t> samples = std::vector<std::uint8_t>(stride * 24, poison);
    std::uint8_t* patch(int shift) { return samples.data() + 3 * stride + 5 + shift; }
    bool operator==(const Area&) const = default;
};

Area random_area(std::mt19937& random, bool extreme) {
    Area area;
    for (std::uint8_t& sample : area.samples) {
        sample = static_cast<std::uint8_t>(extreme ? 255 * (random() % 2) : random() % 256);
    }
    return area;
}

Block random_block(std::mt19937& random, int low, int high, bool extreme) {
    Block block;
    for (std::int16_t& value : block.value) {
        const int at_random = std::uniform_int_distribution(low, high)(random);
        value = static_cast<std::int16_t>(extreme ? (random() % 2 == 0 ? low : high) : at_random);
    }
    return block;
}

bool same(const Block& a, const Block& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Block poisoned_block() {
    Block block;
    std::memset(&block, poison, sizeof block);
    return block;
}

} // namespace

TEST(TransformKernels, CoverEveryLevelOfThisMachine) {
    for_each_level(all_transform_kernels(), [](const TransformKernels& kernels) {
        EXPECT_TRUE(kernels.difference && kernels.widen && kernels.forward_dct && kernels.inverse_dct);
        EXPECT_TRUE(kernels.largest_part && kernels.difference_of_two);
        EXPECT_TRUE(kernels.quantise && kernels.dequantise && kernels.add_clamped && kernels.store_clamped);
        EXPECT_TRUE(kernels.sums && kernels.sum_abs_from && kernels.weigh_levels);
    });
    EXPECT_EQ(transform_kernels().level, simd_level());
    set_simd_level(SimdLevel::scalar);
    EXPECT_EQ(transform_kernels().level, SimdLevel::scalar);
    set_simd_level(best_simd_level());
}

TEST(TransformKernels, DifferenceAndWidenEqualTheirDefinitions) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        Area a = random_area(random, trial % 2 == 1), b = random_area(random, trial % 2 == 1);
        const int shift = trial % 16;
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block difference = poisoned_block(), wide = poisoned_block();
            const std::uint32_t energy =
                kernels.difference(a.patch(shift), Area::stride, b.patch(0), Area::stride, difference);
            kernels.widen(a.patch(shift), Area::stride, wide);
            std::uint32_t squares = 0;
            for (int y = 0; y < 8; ++y) {
                for (int x = 0; x < 8; ++x) {
                    const int of_a = a.patch(shift)[y * Area::stride + x];
                    ASSERT_EQ(wide.value[8 * y + x], of_a);
                    const int expected = of_a - b.patch(0)[y * Area::stride + x];
                    ASSERT_EQ(difference.value[8 * y + x], expected);
                    squares += static_cast<std::uint32_t>(expected * expected);
                }
            }
            ASSERT_EQ(energy, squares);
        });
    }
}

TEST(TransformKernels, DifferenceOfTwoIsThatOfEach) {
    std::mt19937 random(19);
    for (int trial = 0; trial < 200; ++trial) {
        Area a = random_area(random, trial % 2 == 1), b = random_area(random, trial % 4 == 1);
        const int shift = trial % 16;
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            std::array<Block, 3> two{poisoned_block(), poisoned_block(), poisoned_block()};
            std::array<std::uint32_t, 3> energies{poison, poison, poison};
            kernels.difference_of_two(a.patch(shift), Area::stride, b.patch(0), Area::stride, two.data(),
                                      energies.data());
            for (std::size_t i = 0; i < 2; ++i) {
                const int x = 8 * static_cast<int>(i);
                Block one;
                ASSERT_EQ(energies[i], all_transform_kernels().front()->difference(a.patch(shift + x), Area::stride,
                                                                                   b.patch(x), Area::stride, one));
                ASSERT_TRUE(same(two[i], one));
            }
            ASSERT_TRUE(same(two[2], poisoned_block()) && energies[2] == poison) << "written too far";
        });
    }
}

TEST(TransformKernels, LargestPartIsTheSameAtEveryLevel) {
    std::mt19937 random(17);
    for (int trial = 0; trial < 500; ++trial) {
        const int most = trial % 3 == 0 ? 255 : 1 + static_cast<int>(random() % 20);
        const Block values = random_block(random, -most, most, trial % 2 == 1);
        const std::uint32_t expected = all_transform_kernels().front()->largest_part(values);
        for_each_level(all_transform_kernels(),
                       [&](const TransformKernels& kernels) { ASSERT_EQ(kernels.largest_part(values), expected); });
    }
}

TEST(TransformKernels, LargestPartBoundsEveryCoefficient) {
    std::mt19937 random(18);
    for (int trial = 0; trial < 2000; ++trial) {
        Block values = random_block(random, -40, 40, false);
        if (trial % 2 == 1) {
            Block basis{};
            basis.value[random() % 64] = 300;
            transform_kernels().inverse_dct(basis, values);
        }
        RealBlock real;
        std::ranges::copy(values.value, real.begin());
        double squares = 0, largest = 0;
        for (const double value : real)
            squares += value * value;
        for (const double coefficient : real_forward_dct(real))
            largest = std::max(largest, coefficient * coefficient);
        const std::uint32_t part = transform_kernels().largest_part(values);
        ASSERT_GE(part * (1 + 1e-9), 4 * largest) << trial;
        ASSERT_GE(part, squares) << trial;
        ASSERT_LE(part, 4 * squares) << trial;
    }
}

TEST(TransformKernels, AddAndStoreClampAndKeepToTheirBlock) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        const int limit = trial % 3 == 0 ? 300 : trial % 3 == 1 ? 32767 : 20;
        const Block values = random_block(random, -limit - 1, limit, trial % 5 == 0);
        Area prediction = random_area(random, false);
        Area added, stored;
        for (int i = 0; i < 64; ++i) {
            const std::ptrdiff_t at = i / 8 * Area::stride + i % 8;
            const int sum = prediction.patch(0)[at] + values.value[i];
            added.patch(trial % 16)[at] = static_cast<std::uint8_t>(std::clamp(sum, 0, 255));
            stored.patch(trial % 16)[at] = static_cast<std::uint8_t>(std::clamp<int>(values.value[i], 0, 255));
        }
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Area out;
            kernels.add_clamped(prediction.patch(0), Area::stride, values, out.patch(trial % 16), Area::stride);
            EXPECT_EQ(out, added);
            out = Area{};
            kernels.store_clamped(values, out.patch(trial % 16), Area::stride);
            EXPECT_EQ(out, stored);
            Area in_place = prediction;
            kernels.add_clamped(in_place.patch(0), Area::stride, values, in_place.patch(0), Area::stride);
            for (int i = 0; i < 64; ++i) {
                const std::ptrdiff_t at = i / 8 * Area::stride + i % 8;
                ASSERT_EQ(in_place.patch(0)[at], added.patch(trial % 16)[at]);
            }
        });
    }
}

TEST(TransformKernels, LevelsAreScannedAsTheOrderSays) {
    std::mt19937 random(8);
    for (int trial = 0; trial < 600; ++trial) {
        const bool alternate = trial % 2 == 1;
        Block levels{};
        const unsigned last = trial % 5 == 0 ? 64 : 1 + random() % 20; // Most blocks have few.
        for (unsigned i = 0; i < last; ++i) {
            const std::size_t raster = scan_order(alternate)[trial % 3 == 0 ? i : random() % last];
            levels.value[raster] = static_cast<std::int16_t>(random() % 3 == 0 ? 0 : random() % 4095 - 2047);
        }
        std::uint64_t nonzero = 0;
        for (std::size_t i = 0; i < 64; ++i)
            nonzero |= static_cast<std::uint64_t>(levels.value[i] != 0) << i;
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            std::array<std::int16_t, 65> scanned;
            scanned.fill(0x5A5A);
            const std::uint64_t mask = kernels.scan_levels(levels, nonzero, alternate, scanned.data());
            for (std::size_t i = 0; i < 64; ++i) {
                const std::int16_t level = levels.value[scan_order(alternate)[i]];
                ASSERT_EQ(mask >> i & 1, level != 0 ? 1 : 0) << i;
                if (level != 0) {
                    ASSERT_EQ(scanned[i], level) << i;
                }
            }
            ASSERT_EQ(scanned[64], 0x5A5A);
        });
    }
}

TEST(TransformKernels, SumsEqualTheirDefinitions) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
        Area area = random_area(random, trial % 4 == 1);
        if (trial == 0) std::fill(area.samples.begin(), area.samples.end(), std::uint8_t{255});
        const int value = trial % 3 == 0 ? 255 : static_cast<int>(random() % 256);
        std::uint32_t sum = 0, squares = 0, from = 0;
        for (int i = 0; i < 256; ++i) {
            const std::uint32_t sample = area.patch(0)[i / 16 * Area::stride + i % 16];
            sum += sample;
            squares += sample * sample;
            from += static_cast<std::uint32_t>(std::abs(static_cast<int>(sample) - value));
        }
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            std::uint32_t got_sum = poison, got_squares = poison;
            kernels.sums(area.patch(0), Area::stride, got_sum, got_squares);
            EXPECT_EQ(got_sum, sum);
            EXPECT_EQ(got_squares, squares);
            EXPECT_EQ(kernels.sum_abs_from(area.patch(0), Area::stride, value), from);
        });
    }
}

TEST(ForwardDct, IsTheSameAtEveryLevel) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 3000; ++trial) {
        const int limit = trial % 3 == 0 ? 255 : trial % 3 == 1 ? 30 : 3;
        const Block values = random_block(random, trial % 7 == 0 ? 0 : -limit, limit, trial % 5 == 0);
        Block expected;
        all_transform_kernels().front()->forward_dct(values, expected);
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block coefficients = poisoned_block();
            kernels.forward_dct(values, coefficients);
            ASSERT_TRUE(same(coefficients, expected));
        });
    }
}

TEST(ForwardDct, IsWithinAnEighthOfTheRealOne) {
    std::mt19937 random(5);
    double worst = 0, sum_of_squares = 0;
    int count = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Block values = random_block(random, -255, 255, trial % 5 == 0);
        RealBlock real;
        for (std::size_t i = 0; i < 64; ++i)
            real[i] = values.value[i];
        const RealBlock expected = real_forward_dct(real);
        Block coefficients;
        transform_kernels().forward_dct(values, coefficients);
        for (std::size_t i = 0; i < 64; ++i) {
            const double error = coefficients.value[i] - coefficient_scale * expected[i];
            worst = std::max(worst, std::abs(error));
            sum_of_squares += error * error;
            ++count;
        }
    }
    EXPECT_LT(worst, 0.9);
    EXPECT_LT(std::sqrt(sum_of_squares / count), 0.30); // Of which rounding to eighths makes 0.289.
}

TEST(ForwardDct, OfOneGreyIsExact) {
    for_each_level(all_transform_kernels(), [](const TransformKernels& kernels) {
        for (int grey = -255; grey <= 255; ++grey) {
            Block values, coefficients;
            std::fill(std::begin(values.value), std::end(values.value), static_cast<std::int16_t>(grey));
            kernels.forward_dct(values, coefficients);
            ASSERT_EQ(coefficients.value[0], grey * 64);
            for (int i = 1; i < 64; ++i)
                ASSERT_EQ(coefficients.value[i], 0);
        }
    });
}

TEST(InverseDct, IsTheSameAtEveryLevel) {
    std::mt19937 random(6);
    for (int trial = 0; trial < 3000; ++trial) {
        const int limit = trial % 3 == 0 ? 32767 : trial % 3 == 1 ? 2047 : 40;
        Block coefficients = random_block(random, -limit - 1, limit, trial % 5 == 0);
        if (trial % 4 == 0) { // Few coefficients, as in most blocks.
            for (std::int16_t& value : coefficients.value)
                value = random() % 8 == 0 ? value : std::int16_t{0};
        }
        Block expected;
        all_transform_kernels().front()->inverse_dct(coefficients, expected);
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            Block values = poisoned_block();
            kernels.inverse_dct(coefficients, values);
            ASSERT_TRUE(same(values, expected));
        });
    }
}

} // namespace tandem
