// SPDX-License-Identifier: BSD-2-Clause
// Each decision against its formulas, written out here sample by sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/coding/decision_picture.h"

namespace tandem {
namespace {

using namespace test;

/// Test Model 5: intra if vmc > var and vmc >= 9 * 256; else zero unless 4 v0 > 5 vmc and v0 >= 9 * 256.
Mode tm5(const DecisionPicture& picture, int index) {
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
Mode sm3(const DecisionPicture& picture, int index) {
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

void expect_formula(const DecisionPicture& picture, Mode (*formula)(const DecisionPicture&, int),
                    std::array<int, 8>& kinds) {
    const MpegPicture decided = picture.decide();
    for (int i = 0; i < macroblocks; ++i) {
        const Mode mode = mode_of(decided, i);
        EXPECT_EQ(mode.flags, formula(picture, i).flags) << "macroblock " << i;
        EXPECT_TRUE(mode == formula(picture, i)) << "macroblock " << i;
        ++kinds[mode.flags & 7];
        if (picture.input.type == PictureType::predicted && mode.flags == mb_forward && mode.forward == Mv{})
            ++kinds[0];
    }
}

void check_formula(Decision decision, Mode (*formula)(const DecisionPicture&, int)) {
    for (const PictureType type : {PictureType::predicted, PictureType::bidirectional}) {
        std::array<int, 8> kinds{};
        for (std::uint32_t seed = 1; seed <= 40; ++seed) {
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", seed " << seed);
            DecisionPicture picture(type, decision, seed);
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

TEST(Decide, AnErrorOfNineASampleIsTheFirstThatIsNotSmallToTestModel5) {
    for (const std::uint8_t corner : {std::uint8_t{50}, std::uint8_t{51}}) {
        DecisionPicture picture(PictureType::predicted, Decision::tm5, 1);
        DecisionPicture::for_each_sample(0, [&](int x, int y) {
            picture.source->plane(0).view().at(x, y) = x + y == 0 ? corner : std::uint8_t{50};
        });
        const auto reference = std::make_shared<Frame>(columns * 16, rows * 16);
        reference->plane(0).fill(53);
        picture.references.forward = std::make_shared<Reference>(reference);
        EXPECT_EQ(mode_of(picture.decide(), 0) == intra_mode, corner == 50);
    }
}

// Where both references are one picture, and the vectors the same, all three modes have the same error.
TEST(Decide, OfBModesThatAreEquallyGoodTheForwardOne) {
    for (const Decision decision : {Decision::tm5, Decision::sm3}) {
        DecisionPicture picture(PictureType::bidirectional, decision, 3);
        picture.references.backward = picture.references.forward;
        picture.input.backward = picture.forward;
        picture.input.intra_threshold = 1 << 30; // Never.
        const MpegPicture decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_TRUE(mode_of(decided, i) == picture.forward_mode(i)) << "macroblock " << i;
    }
}

void expect_cheapest(const DecisionPicture& picture, SliceExtent slice, std::array<int, 8>& kinds, int& repeated) {
    const MpegPicture decided = picture.decide({slice});
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
            DecisionPicture picture(type, Decision::cost, seed);
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

bool fits(int index, Mv mv, const std::array<int, 2>& f_code) {
    const auto within = [](int eighths, int code) { return std::abs(eighths) < 32 << code; };
    return within(mv.x, f_code[0]) && within(mv.y, f_code[1]) &&
           inside_picture(mv, index % columns * 16, index / columns * 16, columns * 16, rows * 16);
}

/// A half-pel step of one of two vectors, where the vector before it is `before`.
void step_one(const DecisionPicture& picture, int index, Mode& mode, Mv Mode::*vector, Mv before) {
    const std::array<int, 2>& f_code = picture.input.f_code[vector == &Mode::forward ? 0 : 1];
    const auto cost = [&](const Mode& moved) {
        const std::int64_t bits = motion_vector_bits(moved.*vector, before, f_code);
        return picture.sad(index, moved) + ((picture.input.lambda_q8 * bits) >> 8);
    };
    const Mode from = mode;
    for (const int y : {-4, 0, 4}) {
        for (const int x : {-4, 0, 4}) {
            Mode moved = from;
            (moved.*vector).x = static_cast<std::int16_t>((moved.*vector).x + x);
            (moved.*vector).y = static_cast<std::int16_t>((moved.*vector).y + y);
            if (fits(index, moved.*vector, f_code) && cost(moved) < cost(mode)) mode = moved;
        }
    }
}

/// Both chosen vectors after a step of the one and then of the other.
Mode stepped_jointly(const DecisionPicture& picture, int index, bool starts_slice) {
    const auto at = static_cast<std::size_t>(index);
    Mode mode{mb_forward | mb_backward, picture.forward[at].mv, picture.backward[at].mv};
    step_one(picture, index, mode, &Mode::forward, starts_slice ? Mv{} : picture.forward[at - 1].mv);
    step_one(picture, index, mode, &Mode::backward, starts_slice ? Mv{} : picture.backward[at - 1].mv);
    return mode;
}

/// All modes that Decision::rd may list, distinct.
std::vector<Mode> listable(const DecisionPicture& picture, int index, bool starts_slice) {
    const auto at = static_cast<std::size_t>(index);
    const bool predicted = picture.input.type == PictureType::predicted;
    std::vector<Mode> all{intra_mode};
    const auto add = [&](const Mode& mode) {
        if (std::find(all.begin(), all.end(), mode) == all.end()) all.push_back(mode);
    };
    const auto vectors = [](const VectorCandidates& list) { return std::span(list.mv).first(std::size_t(list.count)); };
    for (const Mv mv : vectors(picture.forward_candidates[at])) {
        add({mb_forward, mv, {}});
        if (!predicted) add({mb_forward | mb_backward, mv, picture.backward[at].mv});
    }
    if (predicted) return all;
    for (const Mv mv : vectors(picture.backward_candidates[at])) {
        add({mb_backward, {}, mv});
        add({mb_forward | mb_backward, picture.forward[at].mv, mv});
    }
    add(stepped_jointly(picture, index, starts_slice));
    return all;
}

/// The list has the cheapest modes there are, by rising cost, distinct, and the macroblock has the first. Intra is the
/// last where it would not be in the list and costs up to a quarter more than the first: `replaced` counts that.
void expect_cheapest_listed(const DecisionPicture& picture, SliceExtent slice, int& replaced) {
    std::vector<ModeList> lists(macroblocks);
    const MpegPicture decided = picture.decide({slice}, lists);
    CostRule rule{picture, {}, {}, {}};
    for (int i = slice.first; i < slice.end; ++i) {
        std::vector<std::int64_t> costs;
        const std::vector<Mode> all = listable(picture, i, i == slice.first);
        for (const Mode& mode : all)
            costs.push_back(rule.cost(i, mode));
        std::sort(costs.begin(), costs.end());
        costs.resize(std::min<std::size_t>(costs.size(), ModeList::most));
        const std::int64_t of_intra = rule.cost(i, intra_mode);
        if (costs.size() == ModeList::most && of_intra >= costs.back() && 4 * of_intra <= 5 * costs.front()) {
            costs.back() = of_intra;
            ++replaced;
        }
        const auto listed = lists[static_cast<std::size_t>(i)].all();
        ASSERT_EQ(listed.size(), costs.size()) << "macroblock " << i;
        for (std::size_t k = 0; k < listed.size(); ++k) {
            EXPECT_EQ(rule.cost(i, listed[k]), costs[k]) << "macroblock " << i << ", mode " << k;
            EXPECT_NE(std::find(all.begin(), all.end(), listed[k]), all.end()) << "a mode that nobody offered";
            EXPECT_EQ(std::count(listed.begin(), listed.end(), listed[k]), 1) << "twice";
        }
        EXPECT_TRUE(mode_of(decided, i) == listed.front()) << "macroblock " << i;
        rule.follow(listed.front());
    }
}

TEST(Decide, ByRateDistortionTheCheapestAreListed) {
    int replaced = 0;
    for (const PictureType type : {PictureType::predicted, PictureType::bidirectional}) {
        for (std::uint32_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", seed " << seed);
            DecisionPicture picture(type, Decision::rd, seed);
            picture.input.lambda_q8 = std::array<std::uint32_t, 4>{0, 700, 4000, 20000}[seed % 4];
            picture.input.intra_threshold = seed % 8 < 4 ? 0 : 500;
            expect_cheapest_listed(picture, {0, 5}, replaced);
            expect_cheapest_listed(picture, {3, 15}, replaced);
        }
    }
    EXPECT_GT(replaced, 0);
}

TEST(Decide, OtherDecisionsListWhatTheyTake) {
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost}) {
        const DecisionPicture picture(PictureType::bidirectional, decision, 5);
        std::vector<ModeList> lists(macroblocks);
        const MpegPicture decided = picture.decide({{0, macroblocks}}, lists);
        for (int i = 0; i < macroblocks; ++i) {
            const auto listed = lists[static_cast<std::size_t>(i)].all();
            ASSERT_EQ(listed.size(), 1U);
            EXPECT_TRUE(mode_of(decided, i) == listed.front()) << "macroblock " << i;
        }
    }
}

TEST(Decide, IntraPicturesAreIntra) {
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost, Decision::rd}) {
        DecisionPicture picture(PictureType::predicted, decision, 3);
        picture.input.type = PictureType::intra;
        const MpegPicture decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_TRUE(mode_of(decided, i) == intra_mode);
    }
}

// The 132nd coding since the last intra one is intra; B pictures are nobody's reference and drift nowhere.
TEST(Decide, RefreshIsForcedAtItsLimit) {
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost, Decision::rd}) {
        for (const int limit : {1, 5, 132}) {
            DecisionPicture picture(PictureType::predicted, decision, 4);
            picture.input.intra_threshold = 1 << 30; // Never of itself.
            picture.input.intra_refresh = limit;
            for (int i = 0; i < macroblocks; ++i)
                picture.coded_since_intra[static_cast<std::size_t>(i)] =
                    static_cast<std::uint8_t>(i % 2 == 0 ? limit - 1 : std::max(limit - 2, 0));
            const MpegPicture decided = picture.decide();
            for (int i = 0; i < macroblocks; ++i) {
                const bool forced = i % 2 == 0 || limit == 1;
                EXPECT_EQ(mode_of(decided, i).flags, forced ? mb_intra : mb_forward) << limit << " " << i;
            }
        }
        DecisionPicture picture(PictureType::bidirectional, decision, 4);
        picture.input.intra_threshold = 1 << 30;
        picture.coded_since_intra.assign(macroblocks, 131);
        picture.input.coded_since_intra = picture.coded_since_intra;
        const MpegPicture decided = picture.decide();
        for (int i = 0; i < macroblocks; ++i)
            EXPECT_EQ(mode_of(decided, i).flags & mb_intra, 0);
    }
}

} // namespace
} // namespace tandem
