// SPDX-License-Identifier: BSD-2-Clause
// A second pass: what it expects of pictures at other quantisers than they had.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "tests/encoder/rate/rate_simulation.h"

namespace tandem::test {
namespace {

/// One picture that stands still: all but I pictures are skipped, and so small at any quantiser; I pictures are as the
/// model has them.
SimulatedClip still_clip() {
    SimulatedClip clip = simulated_clip(Story::steady, 20);
    clip.stream.plan.rows = 18;
    const double skipped = bits_of_skipped(clip.stream.plan.macroblocks, clip.stream.plan.rows);
    for (SimulatedPicture& each : clip.pictures) {
        each.exponent = SizeModel::exponent(each.plan.type);
        each.overhead = each.plan.type == PictureType::intra
                            ? SizeModel::always(PictureType::intra, clip.stream.plan.macroblocks)
                            : skipped - 100;
        if (each.plan.type != PictureType::intra) each.costs.inter = 0;
    }
    return clip;
}

SimulatedCoding at_quantiser(SimulatedClip clip, double quantiser) {
    clip.stream.quantiser = quantiser;
    return simulate(RateSettings{}, clip);
}

/// How far a second pass may be from the rate, and its quantisers from the constant one.
struct Tolerance {
    double rate, quantiser;
};

/// A second pass at the rate of a constant quantiser has that quantiser, whatever those of the pass before.
void expect_constant(const SimulatedClip& clip, const std::vector<PassRecord>& before, double quantiser,
                     std::initializer_list<std::size_t> pictures, Tolerance tolerance) {
    const SimulatedCoding constant = at_quantiser(clip, quantiser);
    RateSettings settings = average(constant.bits_per_second());
    settings.before = before;
    const SimulatedCoding second = simulate(settings, clip);
    EXPECT_NEAR(miss(second, constant.bits_per_second()), 0, tolerance.rate) << quantiser;
    for (const std::size_t picture : pictures)
        EXPECT_NEAR(second.quantisers[picture] / constant.quantisers[picture], 1, tolerance.quantiser)
            << quantiser << ", " << picture;
}

TEST(PlannedPace, PicturesThatAreSkippedAreSoAtAnyQuantiser) {
    const SimulatedClip clip = still_clip();
    for (const double quantiser : {4.0, 12.0, 24.0})
        expect_constant(clip, at_quantiser(clip, 10).records, quantiser, {12, 240, 480}, {0.005, 0.02});
}

/// A smooth picture that moves a little: a P picture is its slices' headers and a third more at quantiser 8.
SimulatedClip smooth_clip() {
    SimulatedClip clip = simulated_clip(Story::steady, 20);
    clip.stream.plan.rows = 18;
    const double skipped = bits_of_skipped(clip.stream.plan.macroblocks, clip.stream.plan.rows);
    for (SimulatedPicture& each : clip.pictures) {
        const bool is_intra = each.plan.type == PictureType::intra;
        each.exponent = SizeModel::exponent(each.plan.type);
        each.overhead = is_intra ? SizeModel::always(PictureType::intra, clip.stream.plan.macroblocks) : skipped;
        const std::uint64_t cost = is_intra ? each.costs.intra : each.costs.inter;
        each.factor = (is_intra ? 5'000 : skipped / 3) * std::pow(8, each.exponent) / static_cast<double>(cost);
    }
    return clip;
}

TEST(PlannedPace, WhatPicturesTakeAtAnyQuantiserDoesNotFallWithIt) {
    const SimulatedClip clip = smooth_clip();
    for (const double quantiser : {3.0, 16.0})
        expect_constant(clip, at_quantiser(clip, 19 - quantiser).records, quantiser, {12, 240, 480}, {0.003, 0.02});
}

/// Noise, of which prediction saves nothing: 3.5 bits a sample at quantiser 8.
SimulatedClip noise_clip() {
    SimulatedClip clip = simulated_clip(Story::steady, 10);
    constexpr double samples = 352 * 288 * 1.5;
    for (SimulatedPicture& each : clip.pictures) {
        each.exponent = SizeModel::exponent(PictureType::intra);
        each.dense = 1.9 * samples / each.exponent;
        each.costs.inter = each.costs.intra;
        each.factor = each.dense * std::exp(3.5 * samples / each.dense - 1) * std::pow(8, each.exponent) /
                      static_cast<double>(each.costs.intra);
        each.overhead = 0;
    }
    return clip;
}

/// The pass before had it at quantisers far from those that the rate wants, once finer and once coarser.
TEST(PlannedPace, BitsOfNoiseFallAsTheLogarithmOfItsQuantiser) {
    const SimulatedClip clip = noise_clip();
    std::vector<PassRecord> before = at_quantiser(clip, 4).records;
    const std::vector<PassRecord> coarse = at_quantiser(clip, 12).records;
    std::ranges::copy(coarse.begin() + 125, coarse.end(), before.begin() + 125);
    for (const double quantiser : {3.0, 7.0, 20.0})
        expect_constant(clip, before, quantiser, {30, 120, 130, 240}, {0.003, 0.03});
}

} // namespace
} // namespace tandem::test
