// SPDX-License-Identifier: BSD-2-Clause
// What a lookahead is told of the quantiser, and what it guesses before.
#include <gtest/gtest.h>

#include "encoder/rate/first_guess.h"
#include "encoder/rate/size_model.h"
#include "tests/encoder/rate/rate_simulation.h"

namespace tandem::test {
namespace {

TEST(LikelyQuantiser, IsThatOfTheLastPlanAndWhatIsLikelyBefore) {
    SimulatedClip clip = simulated_clip(Story::steady, 4, 2);
    RateSettings settings = average(800e3);
    const auto one_pass = make_rate_control(settings, clip.stream);
    EXPECT_FALSE(one_pass->likely_quantiser()) << "that hangs on the pictures";
    const SimulatedCoding coding = simulate(*one_pass, clip);
    const std::size_t last_p = clip.pictures.size() - 3; // Before two B pictures.
    ASSERT_EQ(clip.pictures[last_p].plan.type, PictureType::predicted);
    EXPECT_NEAR(*one_pass->likely_quantiser() / coding.quantisers[last_p], 1, 0.1);
    settings.before = coding.records;
    EXPECT_NEAR(*make_rate_control(settings, clip.stream)->likely_quantiser() / coding.quantisers[last_p], 1, 0.2);
    RateSettings quality;
    quality.quality = 29;
    EXPECT_EQ(make_rate_control(quality, clip.stream)->likely_quantiser(), 10);
    quality.largest_quantiser = 9;
    EXPECT_EQ(make_rate_control(quality, clip.stream)->likely_quantiser(), 9);
    clip.stream.quantiser = 7;
    EXPECT_EQ(make_rate_control(RateSettings(), clip.stream)->likely_quantiser(), 7);
}

TEST(FirstGuess, IsWhatTakesTheRateByTheUsualModel) {
    constexpr int macroblocks = 396;
    const std::vector<ForeseenPicture> pictures{{PictureType::intra, 1200 * macroblocks},
                                                {PictureType::predicted, 300 * macroblocks},
                                                {PictureType::bidirectional, 200 * macroblocks}};
    FirstGuess guess;
    guess.type_factors = {1 / 1.4, 1, 1.3};
    const auto bits_at = [&](double quantiser) {
        double bits = 0;
        for (const ForeseenPicture& each : pictures)
            bits += SizeModel(macroblocks)
                        .bits(each.type, 2 * static_cast<double>(each.cost),
                              quantiser * guess.type_factors[index_of(each.type)]);
        return bits;
    };
    for (const double quantiser : {1.5, 4.0, 9.25, 30.0}) {
        guess.bits_per_picture = bits_at(quantiser) / 3;
        EXPECT_NEAR(guess.quantiser(pictures, macroblocks), quantiser, 1.0 / 64) << quantiser;
    }
    guess.least = 2;
    guess.largest = 12;
    guess.bits_per_picture = 1;
    EXPECT_EQ(guess.quantiser(pictures, macroblocks), 12);
    guess.bits_per_picture = 1e9;
    EXPECT_EQ(guess.quantiser(pictures, macroblocks), 2);
}

} // namespace
} // namespace tandem::test
