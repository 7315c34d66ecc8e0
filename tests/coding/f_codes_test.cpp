// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/f_codes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "bitstream/mpeg/code_length.h"

namespace tandem {
namespace {

using FCodes = std::array<int, 2>;

/// A field of 3x2 macroblocks whose second last candidate is this one.
MotionField field_with(Mv mv) {
    MotionField field(48, 32, 16, 16, 2);
    field.block(1, 0)[0] = {mv_from_pels(2, -1), 900, 900};
    field.block(1, 1)[1] = {mv, 1000, 1000};
    return field;
}

TEST(FCodes, HoldTheHalfPelsAboutACandidate) {
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(7, 3)), Codec::mpeg2), (FCodes{1, 1})) << "7.5 pels at most";
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(8, 3)), Codec::mpeg2), (FCodes{2, 1}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(-8, 15)), Codec::mpeg2), (FCodes{2, 2}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(3, -16)), Codec::mpeg2), (FCodes{1, 3}));
}

TEST(FCodes, AreOneForBothComponentsInMpeg1) {
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(3, -16)), Codec::mpeg1), (FCodes{3, 3}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(9, 1)), Codec::mpeg1), (FCodes{2, 2}));
}

TEST(FCodes, AreTheSmallestWhereNothingMoves) {
    EXPECT_EQ(f_codes_of(MotionField(48, 32, 16, 16, 2), Codec::mpeg2), (FCodes{1, 1})) << "no candidates at all";
}

/// Fields of few long vectors, of many, and of blocks without any.
MotionField random_field(std::mt19937& random) {
    const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const int longest = 1 << below(11), share_of_long = below(40), most_gain = 1 << below(14);
    MotionField field(16 * (1 + below(12)), 16 * (1 + below(8)), 16, 16, 1 + below(4));
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            auto cost = static_cast<std::uint32_t>(1000 + below(1000));
            const int count = below(10) == 0 ? 0 : field.candidates();
            for (int i = 0; i < count; ++i, cost += static_cast<std::uint32_t>(below(most_gain))) {
                const int reach = below(40) < share_of_long ? longest : 6;
                const Mv mv = mv_from_pels(below(2 * reach + 1) - reach, below(reach + 1) - reach / 2);
                field.block(column, row)[static_cast<std::size_t>(i)] = {i + 1 < count ? mv : Mv{}, cost, cost};
            }
        }
    }
    return field;
}

bool holds(const FCodes& codes, Mv mv) {
    const int most_x = (16 << (codes[0] - 1)) - 1, most_y = (16 << (codes[1] - 1)) - 1; // Half pels.
    return std::abs(mv.x / 4) + 1 <= most_x && std::abs(mv.y / 4) + 1 <= most_y;
}

/// A quarter of the distortion and the bits of the best vectors that the f_codes hold, times 1024; nothing where a
/// block has none of those.
std::optional<std::int64_t> plain_cost(const MotionField& field, const FCodes& codes, PictureType type, int lambda_q8) {
    std::int64_t sum = 0;
    for (int row = 0; row < field.rows(); ++row) {
        Mv before;
        for (int column = 0; column < field.columns(); ++column) {
            std::vector<Candidate> held;
            bool any = false;
            for (const Candidate& candidate : field.block(column, row)) {
                any = any || has_vector(candidate);
                if (has_vector(candidate) && holds(codes, candidate.mv)) held.push_back(candidate);
            }
            if (!any) {
                before = {};
                continue;
            }
            if (held.empty()) return std::nullopt;
            const Mv mv = held.front().mv;
            const bool no_mc = type == PictureType::predicted && mv == Mv{};
            sum += 256 * std::int64_t{held.front().distortion} +
                   4 * std::int64_t{lambda_q8} * (no_mc ? 1 : motion_vector_bits(mv, before, codes));
            before = mv;
        }
    }
    return sum;
}

/// Of pairs whose costs are equal the one tried last.
FCodes plain_choice(const MotionField& field, const std::vector<FCodes>& pairs, PictureType type, int lambda_q8) {
    FCodes best = pairs.front();
    for (const FCodes& codes : pairs) {
        const auto cost = plain_cost(field, codes, type, lambda_q8);
        if (cost && *cost <= *plain_cost(field, best, type, lambda_q8)) best = codes;
    }
    return best;
}

FCodes plain_limits(const MotionField& field, Codec codec, PictureType type, int lambda_q8) {
    const FCodes all = f_codes_of(field, codec);
    std::vector<FCodes> pairs;
    for (int x = all[0]; x > 0; --x)
        pairs.push_back({x, codec == Codec::mpeg1 ? x : all[1]});
    const FCodes across = plain_choice(field, pairs, type, lambda_q8);
    if (codec == Codec::mpeg1) return across;
    pairs.clear();
    for (int y = all[1]; y > 0; --y)
        pairs.push_back({across[0], y});
    return plain_choice(field, pairs, type, lambda_q8);
}

MotionField without_longer(const MotionField& field, const FCodes& codes) {
    MotionField left = field;
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            auto slot = left.block(column, row).begin();
            for (const Candidate& candidate : field.block(column, row))
                if (has_vector(candidate) && holds(codes, candidate.mv)) *slot++ = candidate;
            for (; slot != left.block(column, row).end(); ++slot)
                *slot = {};
        }
    }
    return left;
}

TEST(LimitVectors, LeavesWhatTheCheapestFCodesHold) {
    std::mt19937 random(31);
    int limited = 0;
    for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
        const MotionField field = random_field(random);
        const auto codec = random() % 2 == 0 ? Codec::mpeg1 : Codec::mpeg2;
        const auto type = random() % 2 == 0 ? PictureType::predicted : PictureType::bidirectional;
        const int lambda_q8 = 1 << random() % 14;
        const FCodes codes = plain_limits(field, codec, type, lambda_q8);
        MotionField left = field;
        limit_vectors(left, codec, type, static_cast<std::uint32_t>(lambda_q8));
        EXPECT_EQ(left, without_longer(field, codes)) << round;
        limited += codes != f_codes_of(field, codec);
    }
    EXPECT_GT(limited, 50);
    EXPECT_LT(limited, 300);
}

/// Blocks that move by `mv`, with zero as their other candidate, and one that would gain by a long vector.
MotionField moving_but_one(Mv mv, std::uint32_t gain) {
    MotionField field(160, 160, 16, 16, 2);
    for (int i = 0; i < 100; ++i) {
        const auto slots = field.block(i % 10, i / 10);
        slots[0] = {i % 3 == 0 ? Mv{} : mv, 500, 500};
        slots[1] = {i % 3 == 0 ? mv : Mv{}, 900, 900};
    }
    field.block(5, 5)[0] = {mv_from_pels(60, 0), 500, 500};
    field.block(5, 5)[1] = {Mv{}, 500 + gain, 500 + gain};
    return field;
}

TEST(LimitVectors, ALongVectorHasToBeWorthTheBitsOfAllOthers) {
    constexpr std::uint32_t lambda_q8 = 4 * 256;
    for (const bool is_worth_it : {false, true}) {
        MotionField field = moving_but_one(mv_from_pels(2, 0), is_worth_it ? 8000 : 400);
        limit_vectors(field, Codec::mpeg2, PictureType::predicted, lambda_q8);
        EXPECT_EQ(f_codes_of(field, Codec::mpeg2), (is_worth_it ? FCodes{4, 1} : FCodes{1, 1}));
    }
}

TEST(LimitVectors, ABlockKeepsItsOnlyCandidate) {
    MotionField field(160, 160, 16, 16, 1);
    for (Candidate& candidate : field.all())
        candidate = {mv_from_pels(1, 1), 100, 100};
    field.block(3, 4)[0] = {mv_from_pels(100, 0), 99, 99};
    const MotionField before = field;
    limit_vectors(field, Codec::mpeg2, PictureType::predicted, 1 << 16);
    EXPECT_EQ(field, before);
}

} // namespace
} // namespace tandem
