// SPDX-License-Identifier: BSD-2-Clause
// A second pass over pictures that no quantiser changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST(PlannedPace, PicturesThatAreSkippedAreSoAtAnyQuantiser) {
    const SimulatedClip clip = still_clip();
    for (const double quantiser : {4.0, 12.0, 24.0}) {
        const SimulatedCoding constant = at_quantiser(clip, quantiser);
        RateSettings settings = average(constant.bits_per_second());
        settings.before = at_quantiser(clip, 10).records;
        const SimulatedCoding second = simulate(settings, clip);
        EXPECT_NEAR(miss(second, constant.bits_per_second()), 0, 0.005) << quantiser;
        for (const std::size_t picture : {std::size_t{12}, std::size_t{240}, std::size_t{480}})
            EXPECT_NEAR(second.quantisers[picture] / constant.quantisers[picture], 1, 0.02)
                << quantiser << ", " << picture;
    }
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
    for (const double quantiser : {3.0, 16.0}) {
        const SimulatedCoding constant = at_quantiser(clip, quantiser);
        RateSettings settings = average(constant.bits_per_second());
        settings.before = at_quantiser(clip, quantiser == 3 ? 16 : 3).records;
        const SimulatedCoding second = simulate(settings, clip);
        EXPECT_NEAR(miss(second, constant.bits_per_second()), 0, 0.003) << quantiser;
        for (const std::size_t picture : {std::size_t{12}, std::size_t{240}, std::size_t{480}})
            EXPECT_NEAR(second.quantisers[picture] / constant.quantisers[picture], 1, 0.02)
                << quantiser << ", " << picture;
    }
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
    for (const double quantiser : {3.0, 7.0, 20.0}) {
        const SimulatedCoding constant = at_quantiser(clip, quantiser);
        RateSettings settings = average(constant.bits_per_second());
        settings.before = before;
        const SimulatedCoding second = simulate(settings, clip);
        EXPECT_NEAR(miss(second, constant.bits_per_second()), 0, 0.003) << quantiser;
        for (const std::size_t picture : {std::size_t{30}, std::size_t{120}, std::size_t{130}, std::size_t{240}})
            EXPECT_NEAR(second.quantisers[picture] / constant.quantisers[picture], 1, 0.03)
                << quantiser << ", " << picture;
    }
}

} // namespace
} // namespace tandem::test
