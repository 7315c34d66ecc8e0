// SPDX-License-Identifier: BSD-2-Clause
// What pictures lean on each other by a table of costs alone, against sums by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "encoder/lookahead/importance.h"
#include "encoder/rate/portable_powers.h"
#include "tests/encoder/cost_tables.h"
#include "tests/encoder/type_letters.h"

namespace tandem {
namespace {

using namespace test;

/// A still picture of `columns` macroblocks that is predicted for nothing at all.
CostTable still_table(int pictures, int columns, Mv mv = {}) {
    CostTable table{columns, 1, {}};
    const auto count = static_cast<std::size_t>(columns);
    for (int at = 0; at < pictures; ++at) {
        CostRow& row = table.pictures.emplace_back(share(Costs(count, intra_cost)));
        const auto moved = share(PredictedCosts(count, {0, mv}));
        if (at > 0) row.set_forward(1, moved);
        if (at > 1) row.set_forward(2, moved);
        if (at + 1 < pictures) row.set_backward(1, moved);
        if (at > 0 && at + 1 < pictures) row.set_both(1, 1, share(Costs(count)));
        row.sum_up();
    }
    return table;
}

Types all_p(int pictures) {
    Types types(static_cast<std::size_t>(pictures), P);
    types[0] = I;
    return types;
}

Importance importance_of(const CostTable& table, const Types& types, int wanted, double quantiser, double strength) {
    Workers workers(2);
    KnownLeanings known;
    return Leanings(table, types, quantiser, known, workers).importance(wanted, strength, workers);
}

TEST(Importance, OfAStillPictureItIsTheNumberOfPicturesAhead) {
    const CostTable table = still_table(10, 3);
    for (int at = 0; at < 10; ++at) {
        const Importance importance = importance_of(table, all_p(10), at, 8, 1);
        ASSERT_EQ(importance.factor.size(), 3U);
        for (const float factor : importance.factor)
            EXPECT_NEAR(static_cast<double>(factor), 1.0 / (10 - at), 1e-5) << at;
    }
}

TEST(Importance, EndsAtAnIPicture) {
    Types types = all_p(10);
    types[6] = I;
    const CostTable table = still_table(10, 1);
    EXPECT_NEAR(static_cast<double>(importance_of(table, types, 4, 8, 1).factor[0]), 0.5, 1e-5);
    EXPECT_EQ(importance_of(table, types, 5, 8, 1).factor[0], 1.0F);
    EXPECT_NEAR(static_cast<double>(importance_of(table, types, 6, 8, 1).factor[0]), 0.25, 1e-5);
}

TEST(Importance, NothingLeansOnBPicturesAndTheyLeanOnBothSides) {
    const CostTable table = still_table(3, 1);
    const Types types{I, B, P};
    EXPECT_EQ(importance_of(table, types, 1, 8, 1).factor[0], 1.0F);
    // The B picture leans on the first picture (a tie is the forward one's).
    EXPECT_NEAR(static_cast<double>(importance_of(table, types, 0, 8, 1).factor[0]), 1 / 3.0, 1e-5);
}

TEST(Importance, GoesWhereTheVectorsPoint) {
    // Half a macroblock to the right: the last one's other half comes from outside of the picture.
    const Importance importance = importance_of(still_table(2, 3, mv_from_pels(8, 0)), all_p(2), 0, 8, 1);
    EXPECT_NEAR(static_cast<double>(importance.factor[0]), 1 / 1.5, 1e-5);
    EXPECT_NEAR(static_cast<double>(importance.factor[1]), 1 / 2.0, 1e-5);
    EXPECT_NEAR(static_cast<double>(importance.factor[2]), 1 / 2.0, 1e-5);
}

TEST(Importance, WhatComesFromOutsideOfThePictureIsLost) {
    for (const int pels : {-1000, -40, -33, -32, 32, 40, 48, 1000}) {
        const Importance importance = importance_of(still_table(2, 2, mv_from_pels(pels, 0)), all_p(2), 0, 8, 1);
        EXPECT_EQ(importance.factor, std::vector<float>(2, 1.0F)) << pels;
        const Importance below = importance_of(still_table(2, 2, mv_from_pels(0, pels)), all_p(2), 0, 8, 1);
        EXPECT_EQ(below.factor, std::vector<float>(2, 1.0F)) << pels;
    }
}

TEST(Importance, FallsWithWhatIsNewAndWithFinerQuantisers) {
    const auto factor = [](std::uint32_t cost, double quantiser) {
        const CostTable table = table_of(2, 1, [=](int, int) { return cost; });
        return importance_of(table, all_p(2), 0, quantiser, 1).factor[0];
    };
    EXPECT_LT(factor(0, 8), factor(300, 8));
    EXPECT_LT(factor(300, 8), factor(600, 8));
    EXPECT_LT(factor(300, 16), factor(300, 8));
    EXPECT_EQ(factor(intra_cost, 8), 1.0F) << "an intra macroblock takes nothing over";
}

TEST(Importance, IsWhatTheChainSumsUpTo) {
    // A cost of 300 is a deviation of 300 / 102; D1 is 0.3 quantisers squared.
    const double variance = 300.0 / 102 * 300 / 102, distortion = 0.3 * 8 * 8;
    const auto part = [&](double worth) { return distortion / (distortion / worth + variance); };
    const CostTable chain = table_of(4, 1, [](int, int) { return 300U; });
    const double last = part(1), middle = part(1 + last);
    EXPECT_NEAR(static_cast<double>(importance_of(chain, all_p(4), 2, 8, 1).factor[0]), 1 / (1 + last), 1e-5);
    EXPECT_NEAR(static_cast<double>(importance_of(chain, all_p(4), 1, 8, 1).factor[0]), 1 / (1 + middle), 1e-5);
    EXPECT_NEAR(static_cast<double>(importance_of(chain, all_p(4), 0, 8, 1).factor[0]), 1 / (1 + part(1 + middle)),
                1e-5);
}

TEST(Importance, OfTwoReferencesIsAQuarterForEach) {
    CostTable table = still_table(3, 1);
    table.pictures[1].set_forward(1, share(PredictedCosts(1, {400, {}})));
    table.pictures[1].set_backward(1, share(PredictedCosts(1, {400, {}})));
    table.pictures[1].set_both(1, 1, share(Costs(1, 300)));
    table.pictures[1].sum_up();
    const double variance = 300.0 / 102 * 300 / 102, distortion = 0.3 * 8 * 8;
    const double part = distortion / (distortion + variance) / 4;
    const Types types{I, B, P};
    EXPECT_NEAR(static_cast<double>(importance_of(table, types, 2, 8, 1).factor[0]), 1 / (1 + part), 1e-5);
    // The P picture needs nothing but its reference, and passes on all that it is worth.
    EXPECT_NEAR(static_cast<double>(importance_of(table, types, 0, 8, 1).factor[0]), 1 / (1 + part + 1 + part), 1e-5);
}

/// Costs and vectors by chance, of pictures of 5x3 macroblocks.
CostTable random_table(int pictures, int furthest, std::mt19937& random) {
    CostTable table{5, 3, {}};
    const std::size_t count = 15;
    const auto costs = [&] {
        Costs all(count);
        for (std::uint32_t& cost : all)
            cost = static_cast<std::uint32_t>(random() % 2000);
        return share(std::move(all));
    };
    const auto predicted = [&] {
        PredictedCosts all(count);
        for (PredictedCost& cost : all)
            cost = {static_cast<std::uint32_t>(random() % 1500),
                    {static_cast<std::int16_t>(random() % 600 - 300), static_cast<std::int16_t>(random() % 600 - 300)}};
        return share(std::move(all));
    };
    for (int at = 0; at < pictures; ++at) {
        CostRow& row = table.pictures.emplace_back(costs());
        for (int d = 1; d <= furthest; ++d) {
            row.set_forward(d, predicted());
            row.set_backward(d, predicted());
            for (int b = 1; d + b <= furthest; ++b)
                row.set_both(d, b, costs());
        }
    }
    return table;
}

Types random_types(std::size_t pictures, std::mt19937& random) {
    Types types(pictures);
    for (PictureType& type : types)
        type = random() % 9 == 0 ? I : random() % 3 == 0 ? P : B;
    types.front() = types.back() = P;
    return types;
}

// As pictures go and types change from decision to decision.
TEST(Importance, IsTheSameWithWhatIsKnown) {
    std::mt19937 random(11);
    Workers workers(3);
    CostTable table = random_table(40, 4, random);
    KnownLeanings known;
    Types types;
    while (table.pictures.size() > 4) {
        const std::size_t seen = std::min<std::size_t>(table.pictures.size(), 12);
        Types next = random_types(seen, random);
        for (std::size_t i = 0; i + 1 < types.size(); ++i)
            next[i] = random() % 4 == 0 ? next[i] : types[i]; // Most stay.
        types = next;
        const Leanings leanings(table, types, 8, known, workers);
        for (int at = 0; at < static_cast<int>(seen); ++at) {
            const Importance found = leanings.importance(at, 0.5, workers);
            const Importance fresh = importance_of(table, types, at, 8, 0.5);
            ASSERT_EQ(found.factor, fresh.factor) << at;
            ASSERT_EQ(found.residual, fresh.residual) << at;
            ASSERT_EQ(found.borne_by_others, fresh.borne_by_others) << at;
        }
        std::size_t gone = 1;
        while (gone + 1 < seen && types[gone] == B)
            ++gone;
        for (std::size_t i = 0; i < gone; ++i) {
            table.pictures.pop_front();
            known.pop_front();
        }
        types.erase(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(gone));
    }
}

TEST(Importance, ItsPowerIsAPower) {
    for (const double exponent : {0.0, -0.2, -1 / 3.0, -0.5, -1.0}) {
        for (double x = 1; x < 300; x += 0.37)
            EXPECT_NEAR(power(x, exponent), std::pow(x, exponent), 2e-5) << x << " ^ " << exponent;
    }
}

} // namespace
} // namespace tandem
