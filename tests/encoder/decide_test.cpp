// SPDX-License-Identifier: BSD-2-Clause
// Each decision against its formulas, written out here sample by sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "bitstream/code_length.h"
#include "encoder/decide.h"
#include "tests/encoder/naive_picture.h"

namespace tandem {
namespace {

using namespace test;

constexpr int columns = 5, rows = 3, macroblocks = columns * rows;

struct Mode {
    std::uint8_t flags = 0;
    Mv forward, backward;
    bool operator==(const Mode&) const = default;
};

constexpr Mode intra_mode{mb_intra, {}, {}};

/// What flags and vectors a macroblock of the picture got.
Mode mode_of(const PictureCode& picture, int index) {
    const auto i = static_cast<std::size_t>(index);
    return {picture.flags[i], picture.forward[i], picture.backward[i]};
}

/// A picture in which every macroblock has its own texture, noise and distance from its references.
struct Picture {
    std::shared_ptr<Frame> source;
    References references;
    std::vector<ChosenVector> forward, backward;
    std::vector<std::uint8_t> coded_since_intra;
    DecideInput input;

    Picture(PictureType type, Decision decision, std::uint32_t seed) {
        std::mt19937 random(seed);
        const auto first = patched(random), second = patched(random);
        source = patched(random);
        const std::vector<Mv> forward_vectors = vectors(random), backward_vectors = vectors(random);
        for (int i = 0; i < macroblocks; ++i) {
            const bool from_first = draw(random, 0, 1) != 0 || type == PictureType::predicted;
            const Mv mv = (from_first ? forward_vectors : backward_vectors)[static_cast<std::size_t>(i)];
            blend(random, i, *source, from_first ? *first : *second, draw(random, 0, 3) == 0 ? Mv{} : mv);
        }
        references.forward = std::make_shared<Reference>(first);
        if (type == PictureType::bidirectional) references.backward = std::make_shared<Reference>(second);
        coded_since_intra.assign(macroblocks, 0);
        input.type = type;
        input.decision = decision;
        input.source = source->luma().view();
        input.references = &references;
        input.coded_since_intra = coded_since_intra;
        input.f_code = {{{2, 3}, {3, 2}}};
        choose(forward_vectors, mb_forward, forward);
        if (type == PictureType::bidirectional) choose(backward_vectors, mb_backward, backward);
        input.forward = forward;
        input.backward = backward;
    }

    /// A macroblock's luma is flat, waves or noise.
    static std::shared_ptr<Frame> patched(std::mt19937& random) {
        const auto flat = random_frame(columns * 16, rows * 16, static_cast<std::uint32_t>(random()), 0);
        const auto noisy = random_frame(columns * 16, rows * 16, static_cast<std::uint32_t>(random()), 90);
        auto frame = std::make_shared<Frame>(columns * 16, rows * 16);
        for (int plane = 0; plane < 3; ++plane)
            copy_and_extend(flat->plane(plane).view(), frame->plane(plane).view());
        for (int i = 0; i < macroblocks; ++i) {
            const int kind = draw(random, 0, 3), level = draw(random, 20, 230);
            for_each_sample(i, [&](int x, int y) {
                std::uint8_t& sample = frame->plane(0).view().at(x, y);
                if (kind == 0) sample = static_cast<std::uint8_t>(level);
                if (kind == 1) sample = noisy->luma().view().at(x, y);
            });
        }
        return frame;
    }

    template <class Body> static void for_each_sample(int index, Body body) {
        const int x0 = index % columns * 16, y0 = index / columns * 16;
        for (int y = y0; y < y0 + 16; ++y) {
            for (int x = x0; x < x0 + 16; ++x)
                body(x, y);
        }
    }

    /// The macroblock becomes like `other` displaced by the whole pels of mv, but for noise: none, little or much.
    static void blend(std::mt19937& random, int index, Frame& frame, const Frame& other, Mv mv) {
        constexpr std::array<int, 6> amounts{0, 1, 3, 8, 20, -1};
        const int noise = amounts[static_cast<std::size_t>(draw(random, 0, 5))];
        if (noise < 0) return;
        for_each_sample(index, [&](int x, int y) {
            const int value = other.luma().view().at(x + mv.x / 8, y + mv.y / 8) + draw(random, -noise, noise);
            frame.plane(0).view().at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
        });
    }

    /// A third of them the same as the one before.
    static std::vector<Mv> vectors(std::mt19937& random) {
        std::vector<Mv> all;
        for (int i = 0; i < macroblocks; ++i) {
            const int x = i % columns * 16, y = i / columns * 16;
            const bool as_before = i > 0 && draw(random, 0, 2) == 0;
            Mv mv = random_vector(random, x, y, columns * 16, rows * 16, draw(random, 0, 30));
            if (as_before && inside_picture(all.back(), x, y, columns * 16, rows * 16)) mv = all.back();
            all.push_back(mv);
        }
        return all;
    }

    void choose(const std::vector<Mv>& all, std::uint8_t direction, std::vector<ChosenVector>& chosen) const {
        for (int i = 0; i < macroblocks; ++i) {
            const Mv mv = all[static_cast<std::size_t>(i)];
            chosen.push_back({mv, sad(i, {direction, mv, mv}), sad(i, {direction, {}, {}})});
        }
    }

    template <class Error> std::uint32_t sum(int index, const Mode& mode, Error error) const {
        std::uint32_t total = 0;
        for_each_sample(index, [&](int x, int y) {
            const int predicted = predicted_sample(references, mode.flags, mode.forward, mode.backward, 0, x, y);
            total += static_cast<std::uint32_t>(error(source->luma().view().at(x, y) - predicted));
        });
        return total;
    }
    std::uint32_t sad(int index, const Mode& mode) const {
        return sum(index, mode, [](int e) { return std::abs(e); });
    }
    std::uint32_t sse(int index, const Mode& mode) const {
        return sum(index, mode, [](int e) { return e * e; });
    }

    std::uint32_t sum_of(int index, bool squared) const {
        std::uint32_t total = 0;
        for_each_sample(index, [&](int x, int y) {
            const std::uint32_t sample = source->luma().view().at(x, y);
            total += squared ? sample * sample : sample;
        });
        return total;
    }
    /// sum x^2 - (sum x)^2 / 256
    std::int64_t variance(int index) const {
        const std::int64_t sum_x = sum_of(index, false);
        return sum_of(index, true) - sum_x * sum_x / 256;
    }
    /// sum |x - mean|, the mean rounded.
    std::int64_t deviation(int index) const {
        const int mean = static_cast<int>((sum_of(index, false) + 128) / 256);
        std::int64_t total = 0;
        for_each_sample(index, [&](int x, int y) { total += std::abs(source->luma().view().at(x, y) - mean); });
        return total;
    }

    Mode forward_mode(int index) const { return {mb_forward, forward[static_cast<std::size_t>(index)].mv, {}}; }
    Mode backward_mode(int index) const { return {mb_backward, {}, backward[static_cast<std::size_t>(index)].mv}; }
    Mode both_mode(int index) const {
        return {mb_forward | mb_backward, forward_mode(index).forward, backward_mode(index).backward};
    }
    Mode least_sse(int index) const {
        Mode best = forward_mode(index);
        for (const Mode& mode : {backward_mode(index), both_mode(index)}) {
            if (sse(index, mode) < sse(index, best)) best = mode;
        }
        return best;
    }

    PictureCode decide(const std::vector<SliceExtent>& slices) const {
        PictureCode picture;
        picture.resize(columns, rows);
        picture.type = input.type;
        for (const SliceExtent slice : slices)
            decide_slice(input, slice, picture);
        return picture;
    }
    PictureCode decide() const { return decide({{0, 5}, {5, 10}, {10, 15}}); }
};

/// Test Model 5: intra if vmc > var and vmc >= 9 * 256; else zero unless 4 v0 > 5 vmc and v0 >= 9 * 256.
Mode tm5(const Picture& picture, int index) {
    const bool predicted = picture.input.type == PictureType::predicted;
    const Mode moved = predicted ? picture.forward_mode(index) : picture.least_sse(index);
    const std::int64_t vmc = picture.sse(index, moved);
    if (vmc > picture.variance(index) + picture.input.intra_threshold && vmc >= 9 * 256) return intra_mode;
    if (!predicted) return moved;
    const Mode still{mb_forward, {}, {}};
    const std::int64_t v0 = picture.sse(index, still);
    return 4 * v0 > 5 * vmc && v0 >= 9 * 256 ? moved : still;
}

/// Simulation Model 3: zero by its SAD0, without a search up to 256 or where the vector gains too little; inter if
/// SSE / 256 <= 64 or SSE / 256 < variance.
Mode sm3(const Picture& picture, int index) {
    const bool predicted = picture.input.type == PictureType::predicted;
    Mode mode = predicted ? picture.forward_mode(index) : picture.least_sse(index);
    if (predicted) {
        const std::int64_t sad0 = picture.sad(index, {mb_forward, {}, {}}), sad = picture.sad(index, mode);
        const bool zero_wins = (sad0 < 768 && 2 * sad >= sad0) || (sad0 >= 768 && 11 * sad >= 10 * sad0);
        if (sad0 <= 256 || zero_wins) mode.forward = {};
    }
    const double mean_error = picture.sse(index, mode) / 256.0;
    const double variance = static_cast<double>(picture.variance(index) + picture.input.intra_threshold) / 256.0;
    return mean_error <= 64 || mean_error < variance ? mode : intra_mode;
}

void expect_formula(const Picture& picture, Mode (*formula)(const Picture&, int), std::array<int, 8>& kinds) {
    const PictureCode decided = picture.decide();
    for (int i = 0; i < macroblocks; ++i) {
        const Mode mode = mode_of(decided, i);
        EXPECT_EQ(mode.flags, formula(picture, i).flags) << "macroblock " << i;
        EXPECT_TRUE(mode == formula(picture, i)) << "macroblock " << i;
        ++kinds[mode.flags & 7];
        if (picture.input.type == PictureType::predicted && mode.flags == mb_forward && mode.forward == Mv{})
            ++kinds[0];
    }
}

void check_formula(Decision decision, Mode (*formula)(const Picture&, int)) {
    for (const PictureType type : {PictureType::predicted, PictureType::bidirectional}) {
        std::array<int, 8> kinds{};
        for (std::uint32_t seed = 1; seed <= 40; ++seed) {
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", seed " << seed);
            Picture picture(type, decision, seed);
            picture.input.intra_threshold = seed % 4 == 0 ? 3000 : seed % 4 == 1 ? -3000 : 0;
            expect_formula(picture, formula, kinds);
        }
        EXPECT_GT(kinds[mb_intra], 5) << "the pictures never ask for intra";
        EXPECT_GT(kinds[mb_forward], 5);
        if (type == PictureType::predicted) {
            EXPECT_GT(kinds[0], 5) << "the pictures never ask for zero";
            EXPECT_GT(kinds[mb_forward] - kinds[0], 5) << "the pictures never ask for a vector";
        } else {
            EXPECT_GT(kinds[mb_backward], 5);
            EXPECT_GT(kinds[mb_forward | mb_backward], 5);
        }
    }
}

TEST(Decide, AsTestModel5) { check_formula(Decision::tm5, tm5); }
TEST(Decide, AsSimulationModel3) { check_formula(Decision::sm3, sm3); }

// Where both references are one picture, and the vectors the same, all three modes have the same error.
TEST(Decide, OfBModesThatAreEquallyGoodTheForwardOne) {
    for (const Decision decision : {Decision::tm5, Decision::sm3}) {
        Picture picture(PictureType::bidirectional, decision, 3);
        picture.references.backward = picture.references.forward;
        picture.input.backward = picture.forward;
        picture.input.intra_threshold = 1 << 30; // Never.
        const PictureCode decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_TRUE(mode_of(decided, i) == picture.forward_mode(i)) << "macroblock " << i;
    }
}

/// SAD + lambda * bits, with what a slice has coded before: the vectors' predictors and the mode that can be repeated.
struct CostRule {
    const Picture& picture;
    Mode before; ///< No flags where the slice begins.
    Mv forward_before, backward_before;

    std::int64_t weighed(int bits) const { return (std::int64_t{picture.input.lambda_q8} * bits) >> 8; }
    int vector_bits(Mv mv, Mv predictor, std::size_t direction) const {
        const auto& f_code = picture.input.f_code[direction];
        return motion_component_bits((mv.x - predictor.x) / 4, f_code[0]) +
               motion_component_bits((mv.y - predictor.y) / 4, f_code[1]);
    }
    std::int64_t cost(int index, const Mode& mode) const {
        const PictureType type = picture.input.type;
        if (mode.flags & mb_intra) {
            return picture.deviation(index) + picture.input.intra_threshold +
                   weighed(macroblock_type_bits(type, mb_intra, true) + 6 * 6);
        }
        const bool predicted = type == PictureType::predicted;
        int bits = macroblock_type_bits(type, mode.flags, true);
        if (mode.flags & mb_forward) bits += vector_bits(mode.forward, forward_before, 0);
        if (mode.flags & mb_backward) bits += vector_bits(mode.backward, backward_before, 1);
        if (predicted && mode.forward == Mv{}) bits = macroblock_type_bits(type, 0, true); // "No MC".
        if (!predicted && mode == before) bits = 1;                                        // It may be skipped.
        return picture.sad(index, mode) + weighed(bits);
    }
    std::vector<Mode> choices(int index) const {
        std::vector<Mode> all{intra_mode, picture.forward_mode(index)};
        if (picture.input.type == PictureType::predicted) {
            all.push_back({mb_forward, {}, {}});
            return all;
        }
        all.push_back(picture.backward_mode(index));
        all.push_back(picture.both_mode(index));
        const int x = index % columns * 16, y = index / columns * 16;
        const bool repeats = (before.flags & (mb_forward | mb_backward)) != 0 &&
                             inside_picture(before.forward, x, y, columns * 16, rows * 16) &&
                             inside_picture(before.backward, x, y, columns * 16, rows * 16);
        if (repeats) all.push_back(before);
        return all;
    }
    void follow(const Mode& mode) {
        before = mode;
        if (mode.flags & mb_intra) forward_before = backward_before = {};
        if (mode.flags & mb_forward) forward_before = mode.forward;
        if (mode.flags & mb_backward) backward_before = mode.backward;
    }
};

void expect_cheapest(const Picture& picture, SliceExtent slice, std::array<int, 8>& kinds, int& repeated) {
    const PictureCode decided = picture.decide({slice});
    CostRule rule{picture, {}, {}, {}};
    for (int i = slice.first; i < slice.end; ++i) {
        const Mode mode = mode_of(decided, i);
        std::int64_t least = INT64_MAX;
        bool known = false;
        for (const Mode& choice : rule.choices(i)) {
            least = std::min(least, rule.cost(i, choice));
            known = known || choice == mode;
        }
        EXPECT_TRUE(known) << "macroblock " << i << " has a mode that nobody offered";
        EXPECT_EQ(rule.cost(i, mode), least) << "macroblock " << i;
        ++kinds[mode.flags & 7];
        repeated += mode == rule.before ? 1 : 0;
        rule.follow(mode);
    }
}

TEST(Decide, ByCostTheCheapest) {
    for (const PictureType type : {PictureType::predicted, PictureType::bidirectional}) {
        std::array<int, 8> kinds{};
        int repeated = 0;
        for (std::uint32_t seed = 1; seed <= 40; ++seed) {
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", seed " << seed);
            Picture picture(type, Decision::cost, seed);
            picture.input.lambda_q8 = std::array<std::uint32_t, 4>{0, 700, 4000, 20000}[seed % 4];
            picture.input.intra_threshold = seed % 8 < 4 ? 0 : 500;
            expect_cheapest(picture, {0, 5}, kinds, repeated);
            expect_cheapest(picture, {5, 10}, kinds, repeated);
            expect_cheapest(picture, {3, 15}, kinds, repeated); // MPEG-1: over the ends of rows.
        }
        EXPECT_GT(kinds[mb_intra], 5);
        EXPECT_GT(kinds[mb_forward], 5);
        EXPECT_GT(repeated, 5);
        if (type == PictureType::bidirectional) {
            EXPECT_GT(kinds[mb_backward], 5);
            EXPECT_GT(kinds[mb_forward | mb_backward], 5);
        }
    }
}

TEST(Decide, IntraPicturesAreIntra) {
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost}) {
        Picture picture(PictureType::predicted, decision, 3);
        picture.input.type = PictureType::intra;
        const PictureCode decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_TRUE(mode_of(decided, i) == intra_mode);
    }
}

// The 132nd coding since the last intra one is intra; B pictures are nobody's reference and drift nowhere.
TEST(Decide, RefreshIsForcedAtItsLimit) {
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost}) {
        for (const int limit : {1, 5, 132}) {
            Picture picture(PictureType::predicted, decision, 4);
            picture.input.intra_threshold = 1 << 30; // Never of itself.
            picture.input.intra_refresh = limit;
            for (int i = 0; i < macroblocks; ++i)
                picture.coded_since_intra[static_cast<std::size_t>(i)] =
                    static_cast<std::uint8_t>(i % 2 == 0 ? limit - 1 : std::max(limit - 2, 0));
            const PictureCode decided = picture.decide();
            for (int i = 0; i < macroblocks; ++i) {
                const bool forced = i % 2 == 0 || limit == 1;
                EXPECT_EQ(mode_of(decided, i).flags, forced ? mb_intra : mb_forward) << limit << " " << i;
            }
        }
        Picture picture(PictureType::bidirectional, decision, 4);
        picture.input.intra_threshold = 1 << 30;
        picture.coded_since_intra.assign(macroblocks, 131);
        picture.input.coded_since_intra = picture.coded_since_intra;
        const PictureCode decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_EQ(mode_of(decided, i).flags & mb_intra, 0);
    }
}

} // namespace
} // namespace tandem
