// SPDX-License-Identifier: BSD-2-Clause
// What is decided by a table of costs alone: types, against every possible path.
#include <gtest/gtest.h>

#include <random>

#include "encoder/lookahead/picture_types.h"
#include "encoder/pictures/picture_order.h"
#include "tests/encoder/cost_tables.h"
#include "tests/encoder/type_letters.h"

namespace tandem {
namespace {

using namespace test;

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

} // namespace
} // namespace tandem
