// SPDX-License-Identifier: BSD-2-Clause
// The dynamic programming against every chain of candidates there is, on slices small enough to count them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/vectors/vector_choice.h"
#include "tests/coding/naive_picture.h"

namespace tandem {
namespace {

using namespace test;

struct Picture {
    std::shared_ptr<Frame> current;
    ReferencePtr reference;
    MotionField field;
    VectorChoiceInput input;

    Picture(int columns, int rows, int candidates, std::uint32_t seed)
        : current(random_frame(columns * 16, rows * 16, seed, 30)),
          reference(std::make_shared<Reference>(moved_frame(*current, 3, -2, seed + 1, 8))),
          field(columns * 16, rows * 16, 16, 16, candidates) {
        fill(seed + 2);
        input.current = current->luma().view();
        input.reference = reference->luma();
        input.field = &field;
        input.f_code = {2, 3};
    }

    std::uint32_t sad(int macroblock, Mv mv) const {
        const int x0 = macroblock % field.columns() * 16, y0 = macroblock / field.columns() * 16;
        std::uint32_t sum = 0;
        for (int y = y0; y < y0 + 16; ++y) {
            for (int x = x0; x < x0 + 16; ++x) {
                const int predicted = predicted_sample({reference, nullptr}, mb_forward, mv, {}, 0, x, y);
                sum += static_cast<std::uint32_t>(std::abs(current->luma().view().at(x, y) - predicted));
            }
        }
        return sum;
    }

    /// Between one and all of the slots of each block, distinct vectors.
    void fill(std::uint32_t seed) {
        std::mt19937 random(seed);
        for (int macroblock = 0; macroblock < field.columns() * field.rows(); ++macroblock) {
            const int column = macroblock % field.columns(), row = macroblock / field.columns();
            const auto slots = field.block(column, row);
            const int count = draw(random, 1, static_cast<int>(slots.size()));
            std::vector<Candidate> found;
            while (static_cast<int>(found.size()) < count) {
                const Mv mv = random_vector(random, column * 16, row * 16, field.picture_width(),
                                            field.picture_height(), draw(random, 2, 30));
                const bool held =
                    std::any_of(found.begin(), found.end(), [&](const Candidate& c) { return c.mv == mv; });
                const bool may_be_alone = mv == Mv{} && field.columns() * field.rows() == 1;
                if (held && !may_be_alone) continue;
                const std::uint32_t distortion = sad(macroblock, mv);
                found.push_back({mv, distortion, distortion});
                if (may_be_alone) break;
            }
            std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return better(a, b); });
            std::copy(found.begin(), found.end(), slots.begin());
        }
    }

    bool inside(int macroblock, Mv mv) const {
        return inside_picture(mv, macroblock % field.columns() * 16, macroblock / field.columns() * 16,
                              field.picture_width(), field.picture_height());
    }

    /// As the header promises: the field's, zero, and the best of the four neighbours.
    std::vector<Mv> candidates(int macroblock) const {
        const int column = macroblock % field.columns(), row = macroblock / field.columns();
        std::vector<Mv> all{Mv{}};
        for (const Candidate& candidate : field.block(column, row)) {
            if (candidate.distortion != UINT32_MAX) all.push_back(candidate.mv);
        }
        const auto neighbour = [&](int at_column, int at_row) {
            if (at_column < 0 || at_row < 0 || at_column >= field.columns() || at_row >= field.rows()) return;
            const Mv mv = field.best(at_column, at_row).mv;
            if (inside(macroblock, mv)) all.push_back(mv);
        };
        neighbour(column - 1, row);
        neighbour(column + 1, row);
        neighbour(column, row - 1);
        neighbour(column, row + 1);
        return all;
    }

    /// A macroblock of a P picture that stays costs one bit for its type and no vector; the next one predicts from 0.
    std::uint64_t step_cost(int macroblock, Mv mv, Mv before) const {
        const bool no_vector = input.type == PictureType::predicted && mv == Mv{};
        const int bits = no_vector ? 1
                                   : MotionComponentBits(input.f_code[0])((mv.x - before.x) / 4) +
                                         MotionComponentBits(input.f_code[1])((mv.y - before.y) / 4);
        return sad(macroblock, mv) + ((std::uint64_t{input.lambda_q8} * static_cast<std::uint64_t>(bits)) >> 8);
    }

    std::uint64_t least_cost(int macroblock, int end, Mv before) const {
        if (macroblock == end) return 0;
        std::uint64_t least = UINT64_MAX;
        for (const Mv mv : candidates(macroblock)) {
            least = std::min(least, step_cost(macroblock, mv, before) + least_cost(macroblock + 1, end, mv));
        }
        return least;
    }

    std::vector<ChosenVector> choose(SliceExtent slice) const {
        constexpr ChosenVector untouched{{-8, -8}, 77, 88};
        std::vector<ChosenVector> chosen(static_cast<std::size_t>(field.columns() * field.rows()), untouched);
        choose_vectors(input, slice, chosen);
        for (int i = 0; i < static_cast<int>(chosen.size()); ++i) {
            const ChosenVector& at = chosen[static_cast<std::size_t>(i)];
            if (i < slice.first || i >= slice.end) {
                EXPECT_EQ(at.mv, untouched.mv) << "outside of the slice";
                continue;
            }
            EXPECT_EQ(at.sad, sad(i, at.mv));
            EXPECT_EQ(at.sad_zero, sad(i, {}));
            EXPECT_TRUE(inside(i, at.mv));
        }
        return chosen;
    }
};

void expect_optimal(const Picture& picture, SliceExtent slice) {
    const std::vector<ChosenVector> chosen = picture.choose(slice);
    std::uint64_t cost = 0;
    Mv before;
    for (int i = slice.first; i < slice.end; ++i) {
        const Mv mv = chosen[static_cast<std::size_t>(i)].mv;
        const std::vector<Mv> allowed = picture.candidates(i);
        EXPECT_NE(std::find(allowed.begin(), allowed.end(), mv), allowed.end()) << "not a candidate";
        cost += picture.step_cost(i, mv, before);
        before = mv;
    }
    EXPECT_EQ(cost, picture.least_cost(slice.first, slice.end, {}));
}

TEST(VectorChoice, IsTheCheapestOfAllChains) {
    std::uint32_t seed = 100;
    for (const PictureType type : {PictureType::predicted, PictureType::bidirectional}) {
        for (const std::uint32_t lambda : {0U, 256U, 2000U, 20000U, 50000U, 1000000U}) {
            for (const int candidates : {1, 2, 3}) {
                SCOPED_TRACE(testing::Message() << "lambda " << lambda << ", seed " << seed);
                Picture picture(3, 2, candidates, seed++);
                picture.input.type = type;
                picture.input.lambda_q8 = lambda;
                expect_optimal(picture, {0, 3});
                expect_optimal(picture, {3, 6});
                expect_optimal(picture, {1, 2});
                expect_optimal(picture, {2, 5}); // MPEG-1: over the end of a row.
            }
        }
    }
}

/// The rings of some macroblocks, about vectors of their neighbours and about zero.
TEST(VectorChoice, IsTheSameWithMeasuredRings) {
    for (std::uint32_t seed = 300; seed < 320; ++seed) {
        Picture picture(3, 2, 1, seed);
        picture.input.lambda_q8 = 2000;
        const std::vector<ChosenVector> expected = picture.choose({0, 6});
        std::vector<MeasuredRing> rings(6);
        std::mt19937 random(seed);
        for (int i = 0; i < 6; ++i) {
            MeasuredRing& ring = rings[static_cast<std::size_t>(i)];
            ring.clear();
            const Mv near = i % 2 == 0 ? Mv{} : picture.field.best((i + 1) % 3, i / 3).mv;
            const Mv middle{static_cast<std::int16_t>(near.x & -eighths_per_pel),
                            static_cast<std::int16_t>(near.y & -eighths_per_pel)};
            if (draw(random, 0, 3) == 0) continue;
            auto& distortions = ring.about(middle);
            for (int place = 0; place < 9; ++place) {
                const Mv mv{static_cast<std::int16_t>(middle.x + (place % 3 - 1) * eighths_per_half_pel),
                            static_cast<std::int16_t>(middle.y + (place / 3 - 1) * eighths_per_half_pel)};
                constexpr std::uint32_t unused = 1; // Of vectors that lead outside.
                distortions[static_cast<std::size_t>(place)] = picture.inside(i, mv) ? picture.sad(i, mv) : unused;
            }
        }
        picture.input.rings = rings;
        const std::vector<ChosenVector> found = picture.choose({0, 6});
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(found[i].mv, expected[i].mv);
            EXPECT_EQ(found[i].sad, expected[i].sad);
            EXPECT_EQ(found[i].sad_zero, expected[i].sad_zero);
        }
    }
}

TEST(VectorChoice, SaysWhatItWasAmong) {
    const Picture picture(3, 2, 4, 9);
    std::vector<ChosenVector> chosen(6);
    std::vector<VectorCandidates> candidates(6);
    choose_vectors(picture.input, {1, 5}, chosen, candidates);
    for (int i = 0; i < 6; ++i) {
        const VectorCandidates& found = candidates[static_cast<std::size_t>(i)];
        const std::vector<Mv> expected = i >= 1 && i < 5 ? picture.candidates(i) : std::vector<Mv>{};
        const std::span vectors(found.mv.data(), static_cast<std::size_t>(found.count));
        for (const Mv mv : expected)
            EXPECT_EQ(std::count(vectors.begin(), vectors.end(), mv), 1) << "macroblock " << i;
        for (std::size_t k = 0; k < vectors.size(); ++k) {
            EXPECT_NE(std::find(expected.begin(), expected.end(), vectors[k]), expected.end()) << "macroblock " << i;
            EXPECT_EQ(found.sad[k], picture.sad(i, vectors[k])) << "macroblock " << i;
        }
    }
}

TEST(VectorChoice, OneMacroblock) {
    Picture picture(1, 1, 4, 7);
    picture.input.lambda_q8 = 500;
    expect_optimal(picture, {0, 1});
}

TEST(VectorChoice, AtOrBelowTheNullThresholdZeroStays) {
    Picture picture(3, 2, 3, 20);
    std::vector<std::uint32_t> at_zero;
    for (int i = 0; i < 6; ++i)
        at_zero.push_back(picture.sad(i, {}));
    const std::vector<ChosenVector> free = picture.choose({0, 6});
    for (const std::uint32_t threshold : at_zero) {
        picture.input.null_threshold = threshold;
        const std::vector<ChosenVector> chosen = picture.choose({0, 6});
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_EQ(chosen[i].mv, at_zero[i] <= threshold ? Mv{} : free[i].mv)
                << "with lambda 0 nothing else changes";
    }
    EXPECT_TRUE(std::any_of(free.begin(), free.end(), [](const ChosenVector& c) { return c.mv != Mv{}; }));
}

// Zero if SAD(0) - SAD(v) <= w * h * C.
TEST(VectorChoice, AVectorMustGainEnough) {
    Picture picture(3, 2, 3, 21);
    const std::vector<ChosenVector> free = picture.choose({0, 6});
    int stayed = 0, moved = 0;
    for (const std::uint32_t gain : {1U, 4U, 8U, 12U, 16U, 255U}) {
        picture.input.null_gain = gain;
        const std::vector<ChosenVector> chosen = picture.choose({0, 6});
        for (int i = 0; i < 6; ++i) {
            const std::size_t at = static_cast<std::size_t>(i);
            const std::uint32_t best = picture.field.best(i % 3, i / 3).distortion;
            const bool stays = picture.sad(i, {}) <= best + 256 * gain;
            EXPECT_EQ(chosen[at].mv, stays ? Mv{} : free[at].mv);
            ++(stays ? stayed : moved);
        }
    }
    EXPECT_GT(stayed, 0);
    EXPECT_GT(moved, 0);
    picture.input.null_gain = 2;
    Candidate& best = picture.field.block(0, 0).front();
    for (const std::uint32_t gain : {512U, 513U}) {
        best.distortion = picture.sad(0, {}) - gain;
        std::vector<ChosenVector> chosen(6);
        choose_vectors(picture.input, {0, 1}, chosen);
        EXPECT_EQ(chosen.front().mv == Mv{}, gain == 512) << gain;
    }
}

} // namespace
} // namespace tandem
