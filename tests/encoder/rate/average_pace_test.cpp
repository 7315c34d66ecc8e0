// SPDX-License-Identifier: BSD-2-Clause
// One pass: the long run, what is foreseen, and how steady quantisers are for it.
#include <gtest/gtest.h>

#include <cmath>

#include "encoder/rate/pace/foresight.h"
#include "encoder/rate/pace/long_run.h"
#include "tests/encoder/rate/rate_simulation.h"

namespace tandem::test {
namespace {

/// Of the pictures from `seconds` on: how far the quantisers of P pictures are from their mean, as the standard
/// deviation of their logarithms.
double unrest(const SimulatedClip& clip, const SimulatedCoding& coding, double seconds) {
    double sum = 0, squares = 0, count = 0;
    for (auto i = static_cast<std::size_t>(seconds * 25); i < clip.pictures.size(); ++i) {
        if (clip.pictures[i].plan.type != PictureType::predicted) continue;
        const double each = std::log(coding.quantisers[i]);
        sum += each;
        squares += each * each;
        count += 1;
    }
    return std::sqrt(squares / count - sum * sum / count / count);
}

/// What comes is known 40 pictures before: the quantiser need not follow each scene, and the end is met.
TEST(AverageRate, WhatIsForeseenKeepsTheQuantiserSteady) {
    for (const double rate : {600e3, 1000e3, 2000e3}) {
        const SimulatedClip clip = simulated_clip(Story::cuts, 20, 2);
        const SimulatedClip known = foreseen(clip, 40);
        const SimulatedCoding blind = simulate(average(rate), clip), seeing = simulate(average(rate), known);
        EXPECT_LT(unrest(known, seeing, 5), 0.7 * unrest(clip, blind, 5)) << rate;
        EXPECT_NEAR(miss(seeing, rate), 0, 0.015) << rate;
    }
}

TEST(AverageRate, ANearEndIsMet) {
    for (const Story story : {Story::steady, Story::cuts, Story::fades}) {
        for (const double seconds : {4.0, 7.0, 10.0, 11.0}) {
            const SimulatedClip clip = foreseen(simulated_clip(story, seconds, 2), 40);
            EXPECT_NEAR(miss(simulate(average(800e3), clip), 800e3), 0, seconds < 5 ? 0.06 : 0.03)
                << name_of(story) << ", " << seconds << " s";
        }
    }
}

TEST(LongRun, IsTheSameAtWhateverQuantisersPicturesWereCoded) {
    const OutlookPlan plan{12, 0, 396, 25};
    const Outlook outlook(plan);
    const SizeModel model(plan.macroblocks);
    const Foresight foresight(plan.macroblocks);
    const PaceView view{outlook, outlook, model, foresight};
    LongRun even(plan, 1), uneven(plan, 1);
    for (int i = 0; i < 1200; ++i) {
        const PictureType type = i % 12 == 0 ? PictureType::intra : PictureType::predicted;
        const double size = i / 300 % 2 == 0 ? 40e3 : 120e3, quantiser = i % 7 + 3;
        even.add(type, 5, size / std::pow(5, SizeModel::exponent(type)));
        uneven.add(type, quantiser, size / std::pow(quantiser, SizeModel::exponent(type)));
    }
    EXPECT_NEAR(even.mean_bits(view, 8) / uneven.mean_bits(view, 8), 1, 1e-9);
    // Two scenes of 40 and 120 thousand bits at quantiser 1.
    const double expected = 80e3 *
                            (std::pow(8, -SizeModel::exponent(PictureType::intra)) +
                             11 * std::pow(8, -SizeModel::exponent(PictureType::predicted))) /
                            12;
    EXPECT_NEAR(even.mean_bits(view, 8) / expected, 1, 0.05);
}

TEST(Foresight, LearnsWhatItsCostsAreWorth) {
    Foresight foresight(396);
    const auto known = std::make_shared<std::vector<ForeseenPicture>>(
        std::vector<ForeseenPicture>{{PictureType::predicted, 100000}, {PictureType::predicted, 300000}});
    foresight.add({PictureType::intra, 1e6, PictureType::intra}, {});
    EXPECT_TRUE(foresight.pictures().empty());
    for (int i = 0; i < 30; ++i)
        foresight.add({PictureType::predicted, 500000, PictureType::predicted}, {known, 0, i == 29});
    ASSERT_EQ(foresight.pictures().size(), 2U);
    EXPECT_EQ(foresight.pictures()[0].cost, 500000) << "the picture at hand has its own";
    EXPECT_NEAR(foresight.pictures()[1].cost, 1500000, 100000);
    EXPECT_TRUE(foresight.is_to_the_end());
}

TEST(Foresight, ExactCostsStayAsTheyAre) {
    Foresight foresight(396);
    const auto known = std::make_shared<std::vector<ForeseenPicture>>(
        std::vector<ForeseenPicture>{{PictureType::intra, 900000}, {PictureType::predicted, 300000}});
    foresight.add({PictureType::intra, 900000, PictureType::intra}, {known, 0, false, true});
    ASSERT_EQ(foresight.pictures().size(), 2U);
    EXPECT_EQ(foresight.pictures()[1].cost, 300000);
}

/// The pictures behind an I picture that show nothing new pay for it, those that nobody knows yet included; to refine
/// them would be for nothing.
TEST(AverageRate, AStillHasItsBitsInIPictures) {
    SimulatedClip clip = foreseen(simulated_clip(Story::still, 40, 0, 100), 40);
    clip.stream.plan.rows = 4; // With as many a picture that is skipped takes about what it takes here.
    const double rate = 60e3;
    const SimulatedCoding coding = simulate(average(rate), clip);
    EXPECT_NEAR(miss(coding, rate), 0, 0.03);
    for (std::size_t i = 200; i < clip.pictures.size(); ++i) {
        const double of_group =
            coding.quantisers[i - i % 100] * clip.stream.type_factors[1] / clip.stream.type_factors[0];
        EXPECT_GE(coding.quantisers[i], 0.7 * of_group) << i;
    }
}

/// What nobody has coded yet may take many times what is expected: no picture is finer than the first before the first
/// is known.
TEST(AverageRate, WhileASurpriseIsUnknownNothingGetsFiner) {
    for (const double rate : {1000e3, 2000e3, 4000e3, 8000e3}) {
        SimulatedClip clip = foreseen(simulated_clip(Story::black_then_noise, 8, 2), 55);
        clip.stream.delay = 4;
        std::size_t first = 0;
        while (clip.pictures[first].plan.display_index < 50) // Two seconds of black.
            ++first;
        const auto control = make_rate_control(average(rate), clip.stream);
        const SimulatedCoding coding = simulate(*control, clip, 4);
        const auto in_p_pictures = [&](std::size_t i) {
            return coding.quantisers[i] / clip.stream.type_factors[index_of(clip.pictures[i].plan.type)];
        };
        for (std::size_t i = first + 1; i <= first + 4; ++i)
            EXPECT_GE(in_p_pictures(i), 0.95 * in_p_pictures(first)) << i << " at " << rate;
    }
}

/// Before dark that is foreseen nothing is spent for fear that it goes on: noise at the coarsest quantiser takes more
/// than the rate.
TEST(Foresight, NoiseAfterDarkFindsBits) {
    for (const int bframes : {0, 2}) {
        const SimulatedClip clip = foreseen(simulated_clip(Story::black_then_noise, 12, bframes), 55);
        RateSettings coarsest = average(1);
        coarsest.step = 50;
        const double rate = 1.4 * simulate(coarsest, clip).bits_per_second();
        EXPECT_NEAR(miss(simulate(average(rate), clip), rate), 0, 0.06) << bframes;
    }
}

/// It would do so at the end above all, by quantisers that say little of those that the next pass has.
TEST(AverageRate, APassThatIsFollowedPaysNothingBack) {
    for (const Story story : {Story::still, Story::fades}) {
        const SimulatedClip clip = foreseen(simulated_clip(story, 20, 2), 40);
        RateSettings settings = average(600e3);
        const double alone = unrest(clip, simulate(settings, clip), 4);
        settings.is_followed = true;
        EXPECT_LT(unrest(clip, simulate(settings, clip), 4), 0.9 * alone) << name_of(story);
    }
}

} // namespace
} // namespace tandem::test
