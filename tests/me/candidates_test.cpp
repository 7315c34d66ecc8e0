// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "me/candidate_list.h"
#include "me/cost.h"

namespace tandem {
namespace {

static_assert(component_bits(0, 4) == 1);
static_assert(cost_of(100, {8, -4}, {0, 0}, 256, 4) == 108);

TEST(Cost, CountsSignedExpGolombBitsOfEachComponent) {
    for (int steps = -300; steps <= 300; ++steps) {
        // The code number of se(v) is 2v - 1 or -2v; its code has 2 * floor(log2(number + 1)) + 1 bits.
        int length = 1;
        for (int number = (steps > 0 ? 2 * steps - 1 : -2 * steps) + 1; number > 1; number /= 2)
            length += 2;
        for (const int unit : {1, 2, 4, 8})
            EXPECT_EQ(component_bits(steps * unit, unit), length) << steps;
    }
    EXPECT_EQ(component_bits(7, 8), 1);
    EXPECT_EQ(component_bits(-15, 8), 3);
    EXPECT_EQ(vector_bits({32767, -32767}, {-32767, 32767}, 1), 2 * (2 * 16 + 1));
}

TEST(Cost, WeighsBitsByLambdaAndSaturates) {
    EXPECT_EQ(rate_of(7, 100), 2u);
    EXPECT_EQ(rate_of(70, 1u << 24), 70u << 16);
    EXPECT_EQ(rate_of(70, UINT32_MAX), static_cast<std::uint32_t>(std::uint64_t{UINT32_MAX} * 70 / 256));
    EXPECT_EQ(rate_of(1 << 20, UINT32_MAX), largest_cost);
    EXPECT_EQ(cost_of(UINT32_MAX - 5, 1), UINT32_MAX - 4);
    EXPECT_EQ(cost_of(UINT32_MAX - 5, 100), largest_cost);
}

TEST(Cost, EqualCostsGoToTheShorterThenUpperThenLefterVector) {
    EXPECT_TRUE(better(1, {80, 80}, 2, {0, 0}));
    EXPECT_TRUE(better(2, {-4, 4}, 2, {12, 0}));
    EXPECT_TRUE(better(2, {4, -4}, 2, {-4, 4}));
    EXPECT_TRUE(better(2, {-4, 4}, 2, {4, 4}));
    EXPECT_FALSE(better(2, {4, 4}, 2, {4, 4}));
}

Candidate random_candidate(std::mt19937& random) {
    const auto component = [&] { return static_cast<std::int16_t>(static_cast<int>(random() % 9) * 8 - 32); };
    const Mv mv{component(), component()};
    // The cost is a function of the vector, as in a search.
    const std::uint32_t cost = static_cast<std::uint32_t>((mv.x * 31 + mv.y * 17) & 63);
    return {mv, cost, cost};
}

TEST(CandidateList, KeepsTheBestDistinctOnesInAnyOrderOfOffers) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        const int capacity = 1 + static_cast<int>(random() % most_candidates);
        std::vector<Candidate> offers(1 + random() % 60);
        for (Candidate& offer : offers)
            offer = random_candidate(random);
        CandidateList list(capacity);
        for (const Candidate& offer : offers) {
            const bool was_best = list.empty() || better(offer, list.best());
            EXPECT_EQ(list.offer(offer), was_best);
        }
        std::sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) { return better(a, b); });
        offers.erase(std::unique(offers.begin(), offers.end()), offers.end());
        ASSERT_EQ(list.size(), std::min<int>(capacity, static_cast<int>(offers.size())));
        for (int i = 0; i < list.size(); ++i)
            EXPECT_EQ(list[i], offers[static_cast<std::size_t>(i)]);
    }
}

TEST(CandidateList, ForcesCandidatesInButNeverTheBestOut) {
    const Candidate zero{{0, 0}, 90, 90}, predictor{{8, 8}, 95, 95};
    const std::array forced{zero, predictor};
    for (int capacity = 1; capacity <= 4; ++capacity) {
        CandidateList list(capacity);
        for (int i = 1; i <= 6; ++i) {
            list.offer({mv_from_pels(-i, 0), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)});
        }
        for (std::size_t i = 0; i < 2; ++i)
            list.force(forced[i], std::span(forced).first(i));
        EXPECT_EQ(list.best().mv, mv_from_pels(-1, 0));
        EXPECT_EQ(list.size(), capacity);
        EXPECT_EQ(list.contains(zero.mv), capacity >= 2);
        EXPECT_EQ(list.contains(predictor.mv), capacity >= 3);
        if (capacity == 4) {
            EXPECT_EQ(list[1].mv, mv_from_pels(-2, 0));
            EXPECT_EQ(list[2], zero);
            EXPECT_EQ(list[3], predictor);
        }
    }
}

TEST(CandidateList, EmptySlotsComeLast) {
    CandidateList list(3);
    list.offer({{8, 0}, 5, 6});
    std::vector<Candidate> slots(3, Candidate{{1, 1}, 1, 1});
    list.store(slots);
    EXPECT_EQ(slots[0], (Candidate{{8, 0}, 5, 6}));
    EXPECT_EQ(slots[1], Candidate{});
    EXPECT_EQ(slots[2], Candidate{});
}

} // namespace
} // namespace tandem
