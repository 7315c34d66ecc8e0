// SPDX-License-Identifier: BSD-2-Clause
// What is decided by a table of costs alone: types against every possible path, importance against sums by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "encoder/lookahead/importance.h"
#include "encoder/lookahead/picture_types.h"
#include "encoder/pictures/picture_order.h"
#include "encoder/rate/portable_powers.h"
#include "tests/encoder/type_letters.h"

namespace tandem {
namespace {

using namespace test;

/// The cost of predicting picture `at` from picture `from`.
using CostOf = std::function<std::uint32_t(int at, int from)>;

constexpr std::uint32_t intra_cost = 1000;

template <class Measured> std::shared_ptr<const Measured> share(Measured costs) {
    return std::make_shared<const Measured>(std::move(costs));
}

/// One macroblock a picture; from the mean of two predictions costs a tenth less than from the better of them.
CostTable table_of(int pictures, int furthest, const CostOf& cost) {
    CostTable table{1, 1, {}};
    for (int at = 0; at < pictures; ++at) {
        CostRow& row = table.pictures.emplace_back(share(Costs(1, intra_cost)));
        for (int d = 1; d <= furthest && d <= at; ++d)
            row.set_forward(d, share(PredictedCosts(1, {cost(at, at - d), {}})));
        for (int d = 1; d <= furthest && at + d < pictures; ++d)
            row.set_backward(d, share(PredictedCosts(1, {cost(at, at + d), {}})));
        for (int f = 1; f <= furthest && f <= at; ++f)
            for (int b = 1; f + b <= furthest && at + b < pictures; ++b)
                row.set_both(f, b, share(Costs(1, std::min(cost(at, at - f), cost(at, at + b)) * 9 / 10)));
        row.sum_up();
    }
    return table;
}

/// Every picture is predicted from another of its shot for `near` and from one of another shot for `far`.
CostOf costs_of_shots(std::vector<int> shot_of, std::uint32_t near = 100, std::uint32_t far = 990) {
    return [=](int at, int from) {
        return shot_of[static_cast<std::size_t>(at)] == shot_of[static_cast<std::size_t>(from)] ? near : far;
    };
}

TypeRules rules_of(int keyint, int most_b, BAdapt b_adapt, int scenecut = 0) {
    TypeRules rules;
    rules.keyint = keyint;
    rules.most_b = most_b;
    rules.b_adapt = b_adapt;
    rules.scenecut = scenecut;
    return rules;
}

TEST(PictureTypes, WithoutLookingTheyAreTheFixedPattern) {
    const CostTable table = table_of(40, 4, costs_of_shots(std::vector<int>(40, 0)));
    for (const bool closed : {false, true}) {
        for (const int keyint : {1, 2, 5, 12, 100}) {
            for (int most_b = 0; most_b <= 3; ++most_b) {
                TypeRules rules = rules_of(keyint, keyint > 1 ? most_b : 0, BAdapt::fixed);
                rules.closed = closed;
                FixedPattern pattern(keyint, most_b, closed);
                Types expected;
                for (int i = 0; i < 40; ++i)
                    expected.push_back(pattern.next());
                Types types = decide_types(table, 0, rules);
                types.insert(types.begin(), I);
                // The table ends with an anchor wherever that is.
                for (std::size_t i = 0; i + static_cast<std::size_t>(most_b) + 1 < types.size(); ++i)
                    EXPECT_EQ(types[i], expected[i]) << i << " of keyint " << keyint << ", " << most_b << " B";
            }
        }
    }
}

TEST(PictureTypes, ACutIsAnIPictureAndNoBPictureLeansOnIt) {
    const CostTable table = table_of(9, 3, costs_of_shots({0, 0, 0, 0, 1, 1, 1, 1, 1}));
    EXPECT_EQ(decide_types(table, 0, rules_of(100, 2, BAdapt::fixed, 40)), (Types{B, B, P, I, B, B, P, P}));
    EXPECT_EQ(decide_types(table, 0, rules_of(100, 2, BAdapt::fixed, 0)), (Types{B, B, P, B, B, P, B, P}));
    TypeRules late = rules_of(100, 2, BAdapt::fixed, 40);
    late.min_keyint = 5;
    EXPECT_EQ(decide_types(table, 0, late), (Types{B, B, P, B, B, P, B, P})) << "four pictures after the last one";
    EXPECT_EQ(decide_types(table, 1, late), (Types{B, B, P, I, B, B, P, P})) << "five pictures after the last one";
}

TEST(PictureTypes, ACutEveryThirdPicture) {
    const CostTable table = table_of(10, 3, costs_of_shots({0, 0, 0, 1, 1, 1, 2, 2, 2, 3}));
    EXPECT_EQ(decide_types(table, 0, rules_of(100, 2, BAdapt::paths, 40)), (Types{B, P, I, B, P, I, B, P, I}));
}

TEST(PictureTypes, AFlashIsNoCut) {
    const CostTable one = table_of(8, 3, costs_of_shots({0, 0, 0, 1, 0, 0, 0, 0}));
    const CostTable two = table_of(8, 3, costs_of_shots({0, 0, 0, 1, 1, 0, 0, 0}));
    for (const CostTable& table : {one, two}) {
        const Types types = decide_types(table, 0, rules_of(100, 2, BAdapt::paths, 40));
        EXPECT_EQ(std::count(types.begin(), types.end(), I), 0);
        EXPECT_EQ(types[2], B) << "nothing is to be predicted from the flash";
    }
}

TEST(PictureTypes, EmptyPicturesAreNoCuts) {
    CostTable table{1, 1, {}};
    for (int at = 0; at < 6; ++at) {
        CostRow& row = table.pictures.emplace_back(share(Costs(1)));
        if (at > 0) row.set_forward(1, share(PredictedCosts(1)));
        row.sum_up();
    }
    EXPECT_EQ(decide_types(table, 0, rules_of(100, 0, BAdapt::fixed, 40)), Types(5, P));
}

TEST(PictureTypes, NoneWhereBPicturesHurt) {
    // From two pictures away nothing is found again.
    const CostOf fast = [](int at, int from) { return std::abs(at - from) == 1 ? 300U : 2000U; };
    const CostOf still = [](int, int) { return 50U; };
    for (const BAdapt b_adapt : {BAdapt::greedy, BAdapt::paths}) {
        EXPECT_EQ(decide_types(table_of(7, 3, fast), 0, rules_of(100, 2, b_adapt)), Types(6, P));
        EXPECT_EQ(decide_types(table_of(7, 3, still), 0, rules_of(100, 2, b_adapt)), (Types{B, B, P, B, B, P}));
    }
}

/// What decide_types() minimises.
std::uint64_t path_cost(const CostTable& table, const Types& types) {
    std::uint64_t sum = 0;
    int anchor = 0;
    for (int at = 1; at < static_cast<int>(table.pictures.size()); ++at) {
        if (types[static_cast<std::size_t>(at - 1)] == B) continue;
        sum += anchor_weight * table.pictures[static_cast<std::size_t>(at)].predicted_sum(at - anchor);
        for (int between = anchor + 1; between < at; ++between)
            sum += b_weight *
                   table.pictures[static_cast<std::size_t>(between)].between_sum(between - anchor, at - between);
        anchor = at;
    }
    return sum;
}

TEST(PictureTypes, NoPathIsCheaper) {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::uint32_t> noise(64 * 64);
        for (std::uint32_t& value : noise)
            value = random() % 900;
        const CostTable table =
            table_of(9, 4, [&](int at, int from) { return noise[static_cast<std::size_t>(64 * at + from)]; });
        const std::uint64_t found = path_cost(table, decide_types(table, 0, rules_of(100, 3, BAdapt::paths)));
        for (unsigned which = 0; which < 128; ++which) {
            Types types;
            for (int i = 0; i < 7; ++i)
                types.push_back(which >> i & 1 ? P : B);
            types.push_back(P);
            int in_a_row = 0, most = 0;
            for (const PictureType type : types)
                most = std::max(most, in_a_row = type == B ? in_a_row + 1 : 0);
            if (most > 3) continue;
            EXPECT_LE(found, path_cost(table, types)) << which;
        }
    }
}

using Given = std::vector<std::optional<PictureType>>;
constexpr auto any = std::nullopt;

TEST(PictureTypes, GivenOnesComeBeforeCosts) {
    const CostTable still = table_of(9, 3, costs_of_shots(std::vector<int>(9, 0)));
    const TypeRules rules = rules_of(100, 2, BAdapt::fixed);
    EXPECT_EQ(decide_types(still, 0, rules, Given{any, P, any, any, any, B, any, any, any}),
              (Types{P, B, B, P, B, B, P, P}));
    EXPECT_EQ(decide_types(still, 0, rules, Given{any, any, I, I, any, any, any, any, any}),
              (Types{B, I, I, B, B, P, B, P}));
    // A cut after a given B picture, and one that is given another type.
    const CostTable cuts = table_of(9, 3, costs_of_shots({0, 0, 0, 1, 1, 1, 2, 2, 2}));
    EXPECT_EQ(decide_types(cuts, 0, rules_of(100, 2, BAdapt::paths, 40), Given{any, P, B, any, any, any, P, any, any}),
              (Types{P, B, I, B, B, P, B, P}));
}

TEST(PictureTypes, KeyintRunsAndClosedGroupsComeBeforeGivenOnes) {
    const CostTable table = table_of(9, 3, costs_of_shots(std::vector<int>(9, 0)));
    Given given(9);
    given[4] = B;
    EXPECT_EQ(decide_types(table, 0, rules_of(4, 2, BAdapt::fixed), given)[3], I);
    TypeRules closed = rules_of(5, 2, BAdapt::paths);
    closed.closed = true;
    EXPECT_EQ(decide_types(table, 0, closed, given)[3], P);
    const Types none = decide_types(table, 0, rules_of(100, 0, BAdapt::fixed), given);
    EXPECT_EQ(none, Types(8, P));
    const Types three =
        decide_types(table, 0, rules_of(100, 2, BAdapt::paths), Given{any, any, any, B, B, B, any, any, any});
    EXPECT_EQ(std::count(three.begin() + 2, three.begin() + 5, B), 2);
}

// Of random types that can be, each is kept, and no run of B pictures is too long.
TEST(PictureTypes, AllThatCanBeGivenIsKept) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        const CostTable table = table_of(14, 4, [&](int, int) { return static_cast<std::uint32_t>(random() % 900); });
        const int most_b = static_cast<int>(random() % 4);
        Given given(14);
        int in_a_row = 0;
        for (std::size_t i = 1; i + 1 < given.size(); ++i) {
            const auto choice = random() % 6;
            if (choice < 2) given[i] = choice == 0 ? I : P;
            if (choice == 2 && in_a_row < most_b) given[i] = B;
            in_a_row = given[i] == B ? in_a_row + 1 : 0;
        }
        for (const BAdapt b_adapt : {BAdapt::fixed, BAdapt::greedy, BAdapt::paths}) {
            TypeRules rules = rules_of(100, most_b, b_adapt, 40);
            rules.min_keyint = 10;
            const Types types = decide_types(table, 0, rules, given);
            int between = 0;
            for (std::size_t i = 1; i < given.size(); ++i) {
                EXPECT_EQ(types[i - 1], given[i].value_or(types[i - 1])) << i << " of round " << round;
                between = types[i - 1] == B ? between + 1 : 0;
                EXPECT_LE(between, most_b) << i << " of round " << round;
            }
        }
    }
}

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
