// SPDX-License-Identifier: BSD-2-Clause
// How many bits pictures are expected to take: what is learnt, from which pictures, and by which law.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "encoder/rate/bits_by_quantiser.h"
#include "encoder/rate/pace/foresight.h"
#include "encoder/rate/size_model.h"

namespace tandem::test {
namespace {

using enum PictureType;

constexpr int cif_macroblocks = 396;
constexpr double cif_cost = 900.0 * cif_macroblocks;

/// What it takes is what any macroblock takes, which no quantiser and no texture changes.
TEST(SizeModel, ABlackPictureSaysLittleOfOthers) {
    SizeModel model(cif_macroblocks);
    const double before = model.bits(intra, cif_cost, 7);
    for (int i = 0; i < 3; ++i)
        model.learn(intra, 24.0 * cif_macroblocks, 9, 33.3 * cif_macroblocks);
    EXPECT_NEAR(model.bits(intra, cif_cost, 7) / before, 1, 0.5);
    EXPECT_NEAR(model.bits(intra, 24.0 * cif_macroblocks, 20), 33.3 * cif_macroblocks, 5.0 * cif_macroblocks);
}

/// Bits of a picture that shows nothing new are those of refining what is shown, which say nothing of its cost.
TEST(SizeModel, WhatShowsNothingNewTeachesNothing) {
    SizeModel model(cif_macroblocks, 18);
    const double before = model.bits(predicted, cif_cost, 7);
    for (const double bits : {50'000.0, 1'400.0})
        model.learn(predicted, least_cost(cif_macroblocks), 3, bits);
    EXPECT_EQ(model.bits(predicted, cif_cost, 7), before);
    model.learn(predicted, 2 * least_cost(cif_macroblocks), 3, 50'000);
    EXPECT_NE(model.bits(predicted, cif_cost, 7), before);
}

/// Until pictures of a type have come it is as far from the usual as I pictures are.
TEST(SizeModel, IPicturesTellOfOthersThatNobodyKnows) {
    SizeModel model(cif_macroblocks), learnt(cif_macroblocks);
    const double usual = model.bits(predicted, cif_cost, 7), of_b_pictures = model.bits(bidirectional, cif_cost, 7);
    learnt.learn(predicted, cif_cost, 7, usual);
    constexpr double always = 33.0 * cif_macroblocks; // Of an I picture.
    const double twice = always + 2 * (model.bits(intra, cif_cost, 7) - always);
    for (int i = 0; i < 20; ++i)
        for (SizeModel* each : {&model, &learnt})
            each->learn(intra, cif_cost, 7, twice);
    EXPECT_NEAR(model.bits(predicted, cif_cost, 7) / usual, 2, 0.3);
    EXPECT_NEAR(model.bits(bidirectional, cif_cost, 7) / of_b_pictures, 2, 0.3);
    EXPECT_NEAR(learnt.bits(predicted, cif_cost, 7) / usual, 1, 0.2) << "one P picture says more";
}

/// Bits a sample of an I picture of noise, measured.
TEST(BitsByQuantiser, FollowNoise) {
    constexpr double samples = 384.0 * cif_macroblocks;
    constexpr std::array<std::array<double, 2>, 7> measured{
        {{3, 5.572}, {4, 4.861}, {6, 4.031}, {8, 3.482}, {12, 2.806}, {16, 2.346}, {24, 1.538}}};
    for (const auto& [coded_at, taken] : measured)
        for (const auto& [quantiser, expected] : measured) {
            const double bits = BitsByQuantiser(intra, cif_macroblocks, taken * samples, coded_at).bits(quantiser);
            EXPECT_NEAR(bits / samples / expected, 1, 0.1) << coded_at << ", " << quantiser;
        }
}

TEST(BitsByQuantiser, FallByAPowerWhereFewSamplesHaveLevels) {
    const BitsByQuantiser few(predicted, cif_macroblocks, 40'000, 8);
    EXPECT_NEAR(few.bits(8), 40'000, 1e-6);
    EXPECT_NEAR(few.bits(16), 40'000 / std::pow(2, SizeModel::exponent(predicted)), 1e-6);
    EXPECT_EQ(few.exponent(40'000), SizeModel::exponent(predicted));
    EXPECT_LT(few.exponent(1'000'000), SizeModel::exponent(predicted));
}

TEST(BitsByQuantiser, AreFiniteWhateverALogSays) {
    for (const double bits : {0.0, 1.0, 1e9, 1e15})
        for (const double quantiser : {0.5, 31.0})
            EXPECT_TRUE(std::isfinite(BitsByQuantiser(intra, 1, bits, 8).bits(quantiser))) << bits;
}

TEST(SizeLaw, IsThatOfIPicturesWherePredictionSavesNothing) {
    EXPECT_EQ(size_law(predicted, 0.96 * cif_cost, cif_cost, cif_macroblocks), intra);
    EXPECT_EQ(size_law(bidirectional, cif_cost, cif_cost, cif_macroblocks), intra);
    EXPECT_EQ(size_law(predicted, 0.9 * cif_cost, cif_cost, cif_macroblocks), predicted);
    EXPECT_EQ(size_law(bidirectional, cif_cost, 0, cif_macroblocks), bidirectional) << "nobody knows the intra cost";
    const double flat = 30.0 * cif_macroblocks;
    EXPECT_EQ(size_law(predicted, flat, flat, cif_macroblocks), predicted) << "it is skipped";
    EXPECT_EQ(size_law(intra, flat, flat, cif_macroblocks), intra);
}

/// In whatever units the lookahead has the costs.
TEST(SizeLaw, IsForeseen) {
    Foresight foresight(cif_macroblocks);
    const auto third = static_cast<std::uint64_t>(cif_cost / 3);
    const auto known = std::make_shared<std::vector<ForeseenPicture>>(std::vector<ForeseenPicture>{
        {intra, third, third}, {predicted, third, third}, {predicted, third / 2, third}, {bidirectional, third}});
    foresight.add({intra, cif_cost, intra}, {known, 0, false});
    ASSERT_EQ(foresight.pictures().size(), 4U);
    EXPECT_EQ(foresight.pictures()[1].law, intra);
    EXPECT_EQ(foresight.pictures()[1].type, predicted);
    EXPECT_EQ(foresight.pictures()[2].law, predicted);
    EXPECT_EQ(foresight.pictures()[3].law, bidirectional);
}

} // namespace
} // namespace tandem::test
