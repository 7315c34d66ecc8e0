// SPDX-License-Identifier: BSD-2-Clause
// The trellis against every combination of levels, on blocks with few candidates.
#include "coding/mpeg/quantiser/trellis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <vector>

#include "tests/bitstream/block_bits.h"
#include "tests/coding/kernel_levels.h"

namespace tandem {

namespace {

using test::block_bits;
using test::coefficient_bits;

using ScanLevels = std::array<std::int16_t, 64>;

struct Setting {
    Quantiser quantiser;
    CoefficientTable table;
    bool alternate_scan;
    std::uint32_t lambda_q6;
};

Setting random_setting(std::mt19937& random) {
    const bool intra = random() % 2 == 0;
    const bool mpeg1 = random() % 3 == 0;
    const int scale = quantiser_scale(1 + static_cast<int>(random() % 31), !mpeg1 && random() % 2 == 0);
    QuantiserMatrix matrix = intra ? default_intra_matrix() : default_non_intra_matrix();
    if (random() % 4 == 0)
        std::generate(matrix.begin(), matrix.end(), [&] { return static_cast<std::uint8_t>(1 + random() % 99); });
    const bool b15 = intra && !mpeg1 && random() % 2 == 0;
    const int code = std::max(1, scale / 2);
    return {make_quantiser(matrix, scale, intra, mpeg1, 8, intra ? trellis_rounding_intra : trellis_rounding_inter),
            b15 ? CoefficientTable::b15 : CoefficientTable::b14, !mpeg1 && random() % 2 == 0,
            static_cast<std::uint32_t>(random() % 3 == 0 ? 0 : random() % static_cast<unsigned>(200 * code * code))};
}

/// Coefficients at `count` random places, each from a fraction of a step up to several.
Block random_coefficients(std::mt19937& random, const Setting& setting, int count) {
    Block block{};
    for (int i = 0; i < count; ++i) {
        const std::size_t at = scan_order(setting.alternate_scan)[random() % (random() % 2 == 0 ? 64 : 12)];
        const int reach = std::min<int>(setting.quantiser.weight[at] * static_cast<int>(1 + random() % 12), 15000) / 2;
        block.value[at] = static_cast<std::int16_t>(std::uniform_int_distribution(-reach, reach)(random));
    }
    if (setting.quantiser.intra) block.value[0] = static_cast<std::int16_t>(random() % 16000);
    return block;
}

int rebuilt(int level, const Quantiser& quantiser, std::size_t raster) {
    if (level == 0) return 0;
    const int k = quantiser.intra ? 0 : level > 0 ? 1 : -1;
    int value = (2 * level + k) * quantiser.weight[raster] / 32;
    if (quantiser.mpeg1 && value % 2 == 0) value -= (value > 0) - (value < 0);
    return std::clamp(value, -2048, 2047);
}

std::int64_t squared_error(int coefficient, int level, const Quantiser& quantiser, std::size_t raster) {
    const std::int64_t error = coefficient - coefficient_scale * rebuilt(level, quantiser, raster);
    return error * error;
}

/// Squared eighths and bits of a whole block, from definitions alone.
std::int64_t cost_of(const Block& block, const ScanLevels& levels, const Setting& setting) {
    const std::size_t first = setting.quantiser.intra ? 1 : 0;
    std::int64_t cost = 0;
    std::uint64_t mask = 0;
    for (std::size_t i = first; i < 64; ++i) {
        const std::size_t raster = scan_order(setting.alternate_scan)[i];
        cost += squared_error(block.value[raster], levels[i], setting.quantiser, raster);
        mask |= static_cast<std::uint64_t>(levels[i] != 0) << i;
    }
    if (mask == 0 && !setting.quantiser.intra) return cost;
    const int bits = block_bits(mask, levels.data(), setting.table, setting.quantiser.intra, setting.quantiser.mpeg1);
    return cost + static_cast<std::int64_t>(setting.lambda_q6) * bits;
}

struct Choice {
    std::size_t position;
    std::vector<int> levels;
};

std::vector<Choice> choices_of(const Block& block, const Setting& setting) {
    Block quantised;
    transform_kernels().quantise(block, setting.quantiser, quantised);
    std::vector<Choice> choices;
    for (std::size_t i = setting.quantiser.intra ? 1 : 0; i < 64; ++i) {
        const std::size_t raster = scan_order(setting.alternate_scan)[i];
        int level = quantised.value[raster];
        if (level == 0) continue;
        const int toward_zero = level > 0 ? -1 : 1;
        const auto error = [&](int of) { return squared_error(block.value[raster], of, setting.quantiser, raster); };
        if (std::abs(level) > 1 && error(level + toward_zero) <= error(level)) level += toward_zero;
        choices.push_back({i, {0, level}});
        if (std::abs(level) > 1) choices.back().levels.push_back(level + toward_zero);
    }
    return choices;
}

std::int64_t least_cost(const Block& block, const Setting& setting, const std::vector<Choice>& choices,
                        std::size_t from, ScanLevels& levels) {
    if (from == choices.size()) return cost_of(block, levels, setting);
    std::int64_t least = INT64_MAX;
    for (const int level : choices[from].levels) {
        levels[choices[from].position] = static_cast<std::int16_t>(level);
        least = std::min(least, least_cost(block, setting, choices, from + 1, levels));
    }
    levels[choices[from].position] = 0;
    return least;
}

TrellisChoice run_trellis(const Block& block, const Setting& setting, ScanLevels& levels) {
    levels.fill(0x5A5A);
    return trellis_quantise(block, setting.quantiser, setting.table, setting.alternate_scan, setting.lambda_q6,
                            levels.data());
}

/// Levels at the nearest, one above, and some anywhere; every coefficient has the weight of its raster index.
LevelChoices random_choices(std::mt19937& random, const Quantiser& quantiser) {
    LevelChoices choices{};
    for (std::size_t i = 0; i < 64; ++i) {
        const int coefficient = std::uniform_int_distribution(-16384, 16384)(random) >> (random() % 12);
        const int nearest = 2 * std::abs(coefficient) / quantiser.weight[i];
        const int level =
            random() % 8 == 0 ? static_cast<int>(random() % 2048) : nearest + static_cast<int>(random() % 2);
        choices.coefficient[i] = random() % 16 == 0 ? (random() % 2 == 0 ? 32767 : -32768) : coefficient;
        choices.weight[i] = quantiser.weight[i];
        choices.level[i] = std::clamp<int>(level, 1, quantiser.largest_level);
    }
    return choices;
}

} // namespace

TEST(WeighLevels, IsTheDifferenceOfSquaredErrorsAtEveryLevel) {
    std::mt19937 random(5);
    int skipped = 0, ones = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const Quantiser quantiser = random_setting(random).quantiser;
        const LevelChoices given = random_choices(random, quantiser);
        const int count = trial % 65;
        for_each_level(all_transform_kernels(), [&](const TransformKernels& kernels) {
            LevelChoices choices = given;
            kernels.weigh_levels(quantiser, count, choices);
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                const int sign = given.coefficient[i] < 0 ? -1 : 1;
                const auto cost = [&](int level) {
                    return squared_error(given.coefficient[i], sign * level, quantiser, i) -
                           squared_error(given.coefficient[i], 0, quantiser, i);
                };
                const bool skips = given.level[i] > 1 && cost(given.level[i] - 1) <= cost(given.level[i]);
                const int level = given.level[i] - static_cast<int>(skips);
                ASSERT_EQ(choices.level[i], level);
                ASSERT_EQ(choices.level_cost[i], cost(level));
                ASSERT_EQ(choices.below_cost[i], level == 1 ? INT32_MAX : cost(level - 1));
                skipped += skips;
                ones += level == 1;
            }
            for (std::size_t i = (static_cast<std::size_t>(count) + 7) / 8 * 8; i < 64; ++i)
                ASSERT_EQ(choices.level[i], given.level[i]);
        });
    }
    EXPECT_GT(skipped, 1000);
    EXPECT_GT(ones, 1000);
}

// What the trellis drops states by.
TEST(Trellis, CodesNeverGetShorterWithTheRun) {
    for (const CoefficientTable table : {CoefficientTable::b14, CoefficientTable::b15}) {
        for (const bool mpeg1 : {false, true}) {
            for (int level = 1; level <= 255; ++level) {
                for (int run = 1; run < 64; ++run) {
                    ASSERT_GE(coefficient_bits(table, run, level, mpeg1),
                              coefficient_bits(table, run - 1, level, mpeg1))
                        << run << " " << level;
                }
            }
        }
    }
}

// Nor may a level below 1 win by its bits, however dear those are.
TEST(Trellis, NoLevelHasAsManyBitsAsNone) {
    for (const auto& of_table : code_length_tables::coefficient) {
        for (const auto& of_escape : of_table) {
            for (const auto& of_run : of_escape)
                EXPECT_GT(of_run[0], *std::max_element(of_run.begin() + 1, of_run.end()));
        }
    }
}

TEST(Trellis, FindsTheBestOfAllCombinations) {
    std::mt19937 random(1);
    int with_candidates = 0, kept = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Setting setting = random_setting(random);
        const Block block = random_coefficients(random, setting, 1 + trial % 6);
        ScanLevels levels, none{};
        const auto [mask, saving] = run_trellis(block, setting, levels);
        for (std::size_t i = setting.quantiser.intra ? 1 : 0; i < 64; ++i) {
            ASSERT_EQ((mask >> i & 1) != 0, levels[i] != 0);
        }
        if (setting.quantiser.intra) {
            Block quantised;
            transform_kernels().quantise(block, setting.quantiser, quantised);
            ASSERT_EQ(levels[0], quantised.value[0]);
            ASSERT_EQ(mask & 1, 0U);
        }
        const std::vector<Choice> choices = choices_of(block, setting);
        if (!setting.quantiser.intra) {
            ASSERT_EQ(saving, cost_of(block, none, setting) - cost_of(block, levels, setting));
        }
        with_candidates += !choices.empty();
        kept += mask != 0;
        ASSERT_EQ(cost_of(block, levels, setting), least_cost(block, setting, choices, 0, none)) << trial;
    }
    EXPECT_GT(with_candidates, 2000);
    EXPECT_GT(kept, 1000);
}

TEST(Trellis, IsNeverWorseThanPlainQuantisationOfFullBlocks) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 1000; ++trial) {
        const Setting setting = random_setting(random);
        const Block block = random_coefficients(random, setting, 200);
        ScanLevels levels, plain{};
        run_trellis(block, setting, levels);
        Block quantised;
        transform_kernels().quantise(block, setting.quantiser, quantised);
        for (std::size_t i = 0; i < 64; ++i)
            plain[i] = quantised.value[scan_order(setting.alternate_scan)[i]];
        ASSERT_LE(cost_of(block, levels, setting), cost_of(block, plain, setting));
    }
}

TEST(Trellis, DropsEverythingWhenBitsAreDear) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 100; ++trial) {
        Setting setting = random_setting(random);
        setting.lambda_q6 = 0xFFFFFFFF;
        ScanLevels levels;
        EXPECT_EQ(run_trellis(random_coefficients(random, setting, 200), setting, levels).nonzero, 0U);
        EXPECT_TRUE(std::all_of(levels.begin() + 1, levels.end(), [](int level) { return level == 0; }));
    }
}

TEST(Trellis, IsTheSameAtEverySimdLevel) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 300; ++trial) {
        const Setting setting = random_setting(random);
        const Block block = random_coefficients(random, setting, 1 + trial);
        std::vector<ScanLevels> results;
        for (const TransformKernels* kernels : all_transform_kernels()) {
            set_simd_level(kernels->level);
            run_trellis(block, setting, results.emplace_back());
        }
        set_simd_level(best_simd_level());
        EXPECT_TRUE(std::all_of(results.begin(), results.end(), [&](const ScanLevels& r) { return r == results[0]; }));
    }
}

} // namespace tandem
