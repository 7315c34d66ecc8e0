// SPDX-License-Identifier: BSD-2-Clause
// The choice of coded blocks against every choice there is.
#include "coding/mpeg/quantiser/pattern_choice.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/bitstream/block_bits.h"

namespace tandem {
namespace {

using Savings = std::array<std::int64_t, 6>;

int choose(int pattern, const Savings& saving, std::uint32_t lambda_q6) {
    return choose_pattern(pattern, saving.data(), lambda_q6, code_length_tables::coded_block_pattern.data());
}

std::int64_t gain_of(int pattern, const Savings& saving, std::uint32_t lambda_q6) {
    if (pattern == 0) return 0;
    std::int64_t gain = -std::int64_t{lambda_q6} * test::coded_block_pattern_bits(pattern);
    for (std::size_t block = 0; block < 6; ++block)
        gain += (pattern >> (5 - block) & 1) * saving[block];
    return gain;
}

/// All subsets one after the other. `ties`: how many others are as good.
int best_of_all(int pattern, const Savings& saving, std::uint32_t lambda_q6, int& ties) {
    int best = 0;
    ties = 0;
    for (int subset = 1; subset < 64; ++subset) {
        if ((subset | pattern) != pattern) continue;
        const std::int64_t gain = gain_of(subset, saving, lambda_q6), most = gain_of(best, saving, lambda_q6);
        if (gain >= most) best = subset;
        ties = gain == most ? ties + 1 : gain > most ? 0 : ties;
    }
    return best;
}

TEST(PatternChoice, IsTheBestOfAllSubsets) {
    std::mt19937 random(1);
    int tied = 0, fewer = 0, none = 0;
    for (int trial = 0; trial < 40000; ++trial) {
        const int pattern = trial % 64;
        const std::uint32_t lambda_q6 = trial % 50 == 0 ? 0 : trial % 7 == 0 ? 0xFFFFFFFF : 1 + random() % 100000;
        const bool whole_bits = trial % 3 == 0; // Makes ties.
        const std::int64_t unit = whole_bits ? lambda_q6 : std::int64_t{lambda_q6} + 1;
        Savings saving;
        for (std::int64_t& of_block : saving)
            of_block = whole_bits ? unit * static_cast<std::int64_t>(random() % 12)
                                  : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(12 * unit)) + 1;
        int ties = 0;
        const int best = best_of_all(pattern, saving, lambda_q6, ties);
        ASSERT_EQ(choose(pattern, saving, lambda_q6), best) << "of " << pattern << ", trial " << trial;
        tied += ties != 0;
        fewer += best != pattern && best != 0;
        none += best != pattern && best == 0;
    }
    EXPECT_GT(tied, 1000);
    EXPECT_GT(fewer, 1000);
    EXPECT_GT(none, 1000);
}

// Savings of blocks that are not coded are not looked at, whatever they are.
TEST(PatternChoice, IsAmongTheCodedBlocks) {
    Savings saving;
    saving.fill(INT64_MAX / 16);
    for (int pattern = 0; pattern < 64; ++pattern)
        EXPECT_EQ(choose(pattern, saving, 1000), pattern);
}

} // namespace
} // namespace tandem
