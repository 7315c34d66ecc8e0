// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/quantiser/slice_quantisers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "coding/mpeg/quantiser/quantiser_scale.h"

namespace tandem {
namespace {

std::vector<std::uint8_t> spread(const Quality& quality, int slices, int length = 3, bool non_linear = false) {
    std::vector<SliceExtent> extents;
    for (int i = 0; i < slices; ++i)
        extents.push_back({i * length, (i + 1) * length});
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(slices * length));
    spread_quantiser(quality, extents, non_linear, codes);
    return codes;
}

TEST(SliceQuantisers, AWholeQuantiserIsEverywhere) {
    for (const int code : {1, 8, 31})
        EXPECT_EQ(spread({static_cast<double>(code), {}}, 5),
                  std::vector<std::uint8_t>(15, static_cast<std::uint8_t>(code)));
}

TEST(SliceQuantisers, AFractionIsKeptOnTheMean) {
    for (double quantiser = 1; quantiser <= 31; quantiser += 0.07) {
        const auto codes = spread({quantiser, {}}, 68);
        const double mean = std::accumulate(codes.begin(), codes.end(), 0.0) / static_cast<double>(codes.size());
        EXPECT_NEAR(mean, quantiser, 0.5 / 68 + 1e-9);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            EXPECT_LT(std::abs(codes[i] - quantiser), 1.0);
            EXPECT_EQ(codes[i], codes[i / 3 * 3]) << "a slice has one code";
        }
    }
}

TEST(SliceQuantisers, TheScaleHasEnds) {
    EXPECT_EQ(spread({0.2, {}}, 9), std::vector<std::uint8_t>(27, 1));
    EXPECT_EQ(spread({99, {}}, 9), std::vector<std::uint8_t>(27, 31));
}

TEST(SliceQuantisers, OffsetsAreAddedToEachMacroblock) {
    const std::vector<float> offsets{0.4F, 0.6F, -9.0F, 40.0F, 0.0F, -1.0F};
    EXPECT_EQ(spread({4, offsets}, 2), (std::vector<std::uint8_t>{4, 5, 1, 31, 4, 3}));
}

// Codes 8, 9, 10, 12 and 31 of the non-linear scale are the quantisers 4, 5, 6, 8 and 56.
TEST(SliceQuantisers, NonLinearCodesStandForTheSameQuantisers) {
    EXPECT_EQ(spread({4, {}}, 3, 3, true), std::vector<std::uint8_t>(9, 8));
    EXPECT_EQ(spread({99, {}}, 3, 3, true), std::vector<std::uint8_t>(9, 31));
    EXPECT_EQ(spread({4, {0.0F, 1.1F, 4.0F, -3.5F, 60.0F, 2.0F}}, 2, 3, true),
              (std::vector<std::uint8_t>{8, 9, 12, 1, 31, 10}));
    const auto codes = spread({4.5, {}}, 10, 1, true); // Half of them each.
    EXPECT_EQ(std::ranges::count(codes, 8), 5);
    EXPECT_EQ(std::ranges::count(codes, 9), 5);
    const std::vector<float> much(4, 4000);
    EXPECT_EQ(spread({6, {-2, -2, 2, 50}, much}, 1, 4, true), (std::vector<std::uint8_t>{8, 8, 12, 31}));
}

/// One slice with these quantisers wanted, and so much to code in each macroblock.
std::vector<std::uint8_t> spread_where_it_pays(const std::vector<float>& wanted, const std::vector<float>& residual) {
    Quality quality{10, {}, residual};
    for (const float quantiser : wanted)
        quality.offsets.push_back(quantiser - 10);
    return spread(quality, 1, static_cast<int>(wanted.size()));
}

TEST(SliceQuantisers, MuchToCodeIsWorthAChange) {
    EXPECT_EQ(spread_where_it_pays({6, 6, 12, 12}, {4000, 4000, 4000, 4000}),
              (std::vector<std::uint8_t>{6, 6, 12, 12}));
}

TEST(SliceQuantisers, LittleToCodeIsNot) {
    const auto codes = spread_where_it_pays({6, 12, 6, 6}, {4000, 5, 4000, 4000});
    EXPECT_EQ(codes, std::vector<std::uint8_t>(4, 6));
    EXPECT_EQ(spread_where_it_pays({6, 12, 20}, {0, 4000, 0}), std::vector<std::uint8_t>(3, 12));
}

// Of a still picture the lookahead sees nothing to code, but its reference has another quantiser.
TEST(SliceQuantisers, NothingToCodeIsNoReasonForAnotherQuantiser) {
    EXPECT_EQ(spread_where_it_pays({31, 31, 31}, {0, 0, 0}), std::vector<std::uint8_t>(3, 31));
    EXPECT_EQ(spread_where_it_pays({7, 9, 9}, {0, 0, 0}), std::vector<std::uint8_t>(3, 8));
}

TEST(SliceQuantisers, WhatIsWantedMayLieOutsideOfTheScale) {
    EXPECT_EQ(spread_where_it_pays({-5, 60}, {9000, 9000}), (std::vector<std::uint8_t>{1, 31}));
}

// The slice's codes against every possible row of them.
TEST(SliceQuantisers, NoRowOfCodesIsCheaper) {
    const std::vector<float> wanted{4, 5.5F, 4.4F, 7}, residual{60, 100, 20, 150};
    const auto cost = [&](const std::vector<std::uint8_t>& codes) {
        double sum = 0;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const double ratio = codes[i] / static_cast<double>(wanted[i]);
            sum += static_cast<double>(residual[i] / wanted[i]) * (ratio - 1) * (1 - 1 / ratio);
            sum += i > 0 && codes[i] != codes[i - 1] ? 9 : 0;
        }
        return sum;
    };
    const double found = cost(spread_where_it_pays(wanted, residual));
    for (unsigned which = 0; which < 10000; ++which) {
        const std::vector<std::uint8_t> codes{
            static_cast<std::uint8_t>(1 + which % 10), static_cast<std::uint8_t>(1 + which / 10 % 10),
            static_cast<std::uint8_t>(1 + which / 100 % 10), static_cast<std::uint8_t>(1 + which / 1000)};
        ASSERT_LE(found, cost(codes) + 1e-6);
    }
}

/// What is lost and what changes cost, of a slice.
struct SliceCosts {
    const Quality& quality;
    bool non_linear;

    double loss(std::size_t i, int code) const {
        const double wanted = std::clamp(quality.quantiser + static_cast<double>(quality.offsets[i]),
                                         quantiser_of_code(1, non_linear), quantiser_of_code(31, non_linear));
        const double ratio = quantiser_of_code(code, non_linear) / wanted;
        return std::max(static_cast<double>(quality.residual[i]), 16.0) / wanted * (ratio - 1) * (1 - 1 / ratio);
    }
    double of(const std::vector<std::uint8_t>& codes) const {
        double sum = 0;
        for (std::size_t i = 0; i < codes.size(); ++i)
            sum += loss(i, codes[i]) + (i > 0 && codes[i] != codes[i - 1] ? 9 : 0);
        return sum;
    }
    /// Of the cheapest codes, each of which may follow each.
    double least() const {
        std::vector<double> costs(32, 0), next(32);
        for (std::size_t i = 0; i < quality.offsets.size(); ++i) {
            for (int code = 1; code < 32; ++code) {
                double before = costs[static_cast<std::size_t>(code)];
                for (int other = 1; other < 32; ++other)
                    before = std::min(before, costs[static_cast<std::size_t>(other)] + (i > 0 ? 9 : 0));
                next[static_cast<std::size_t>(code)] = before + loss(i, code);
            }
            costs = next;
        }
        return *std::min_element(costs.begin() + 1, costs.end());
    }
};

TEST(SliceQuantisers, LongSlicesHaveTheCheapestOfAllCodes) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> chance(0, 1);
    for (int round = 0; round < 60; ++round) {
        const int length = 1 + static_cast<int>(random() % 130);
        const bool non_linear = round % 2 == 1;
        Quality quality{1 + 40.0 * static_cast<double>(chance(random)), {}, {}};
        const float spread_of_offsets = 40 * chance(random) * chance(random);
        for (int i = 0; i < length; ++i) {
            quality.offsets.push_back(spread_of_offsets * (chance(random) - 0.5F));
            quality.residual.push_back(chance(random) < 0.2F ? 0 : 3000 * chance(random) * chance(random));
        }
        const SliceCosts costs{quality, non_linear};
        EXPECT_NEAR(costs.of(spread(quality, 1, length, non_linear)), costs.least(), 1e-6) << "round " << round;
    }
}

} // namespace
} // namespace tandem
