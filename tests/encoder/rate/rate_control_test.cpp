// SPDX-License-Identifier: BSD-2-Clause
// Rates, limits and buffers of rate control, on simulated video.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coding/mpeg/quantiser/slice_quantisers.h"
#include "encoder/rate/buffer_guard.h"
#include "encoder/rate/size_model.h"
#include "machine/errors.h"
#include "tests/encoder/rate/rate_simulation.h"

namespace tandem::test {
namespace {

/// With a buffer of so many seconds, filled at the average rate.
RateSettings buffered(double bits_per_second, double seconds) {
    RateSettings settings = average(bits_per_second);
    settings.vbv_bits_per_second = bits_per_second;
    settings.vbv_bits = bits_per_second * seconds;
    return settings;
}

/// What the quantisers' limits allow at all.
bool is_within_reach(const SimulatedClip& clip, double rate) {
    RateSettings finest = average(1e9), coarsest = average(1);
    finest.step = coarsest.step = 50;
    return simulate(finest, clip).bits_per_second() > 1.1 * rate &&
           simulate(coarsest, clip).bits_per_second() < 0.9 * rate;
}

/// How far one pass may miss. Nobody who sees one picture at a time knows that a clip ends in black, which takes no
/// bits.
double allowed_in_one_pass(Story story, double seconds) {
    if (story == Story::black_then_noise) return seconds > 30 ? 0.03 : 2;
    if (story == Story::cuts || story == Story::fades) return seconds > 30 ? 0.02 : 0.11;
    return seconds > 30 ? 0.01 : seconds > 5 ? 0.03 : 0.06;
}

TEST(AverageRate, IsKeptInOnePass) {
    int within_reach = 0;
    for (const Story story : stories) {
        for (const double rate : {300e3, 1000e3, 3000e3}) {
            for (const int bframes : {0, 2}) {
                for (const double seconds : {4.0, 10.0, 60.0}) {
                    const SimulatedClip clip = simulated_clip(story, seconds, bframes);
                    if (!is_within_reach(clip, rate)) continue;
                    ++within_reach;
                    EXPECT_LE(std::abs(miss(simulate(average(rate), clip), rate)), allowed_in_one_pass(story, seconds))
                        << name_of(story) << " at " << rate << " for " << seconds << " s, " << bframes
                        << " B: " << miss(simulate(average(rate), clip), rate);
                }
            }
        }
    }
    EXPECT_GT(within_reach, 50);
}

TEST(AverageRate, ASteadySceneHasASteadyQuantiser) {
    const SimulatedCoding coding = simulate(average(800e3), simulated_clip(Story::steady, 20));
    const auto begin = coding.quantisers.begin() + 125;
    std::vector<double> anchors;
    for (auto each = begin; each != coding.quantisers.end(); ++each)
        if ((each - coding.quantisers.begin()) % 12 != 0) anchors.push_back(*each);
    const auto [least, most] = std::minmax_element(anchors.begin(), anchors.end());
    EXPECT_LT(*most / *least, 1.25) << *least << " to " << *most;
}

TEST(AverageRate, TwoPassesAreNearer) {
    for (const Story story : stories) {
        for (const double rate : {300e3, 1000e3, 3000e3}) {
            for (const auto& [seconds, allowed] : {std::pair{4.0, 0.02}, {10.0, 0.005}, {60.0, 0.005}}) {
                const SimulatedClip clip = simulated_clip(story, seconds, 2);
                if (!is_within_reach(clip, rate)) continue;
                RateSettings settings = average(rate);
                settings.before = simulate(settings, clip).records;
                EXPECT_LE(std::abs(miss(simulate(settings, clip), rate)),
                          story == Story::black_then_noise ? 0.02 : allowed)
                    << name_of(story) << " at " << rate << " for " << seconds
                    << " s: " << miss(simulate(settings, clip), rate);
            }
        }
    }
}

// What is under way counts as it was planned: the last pictures have nobody behind them that makes up for a wrong
// guess.
TEST(AverageRate, TwoPassesAreNearWhereSizesBecomeKnownLate) {
    for (const Story story : {Story::steady, Story::cuts, Story::fades}) {
        for (const double seconds : {4.0, 15.0}) {
            SimulatedClip clip = simulated_clip(story, seconds, 2);
            RateSettings settings = average(600e3);
            settings.before = simulate(settings, clip).records;
            clip.stream.delay = 4;
            const auto control = make_rate_control(settings, clip.stream);
            EXPECT_NEAR(miss(simulate(*control, clip, 4), 600e3), 0, 0.0015) << name_of(story) << ", " << seconds;
        }
    }
}

TEST(AverageRate, ASecondPassGivesComplexPartsCoarserQuantisers) {
    const SimulatedClip clip = simulated_clip(Story::fades, 20);
    RateSettings settings = average(800e3);
    settings.before = simulate(settings, clip).records;
    const auto spread = [&](double compression) {
        settings.compression = compression;
        const SimulatedCoding coding = simulate(settings, clip);
        const auto [least, most] = std::minmax_element(coding.quantisers.begin() + 1, coding.quantisers.end());
        return *most / *least;
    };
    EXPECT_GT(spread(0.3), spread(0.95) * 1.3);
}

/// Black says nothing of the noise that comes after it.
TEST(AverageRate, TheFirstPicturesAfterBlackTakeNoFortune) {
    const SimulatedClip clip = simulated_clip(Story::black_then_noise, 4);
    const SimulatedCoding coding = simulate(average(1000e3), clip);
    double taken = 0;
    for (std::size_t i = 50; i < 62; ++i)
        taken += static_cast<double>(coding.bits[i]);
    // 12 pictures of 25 a second, and what two seconds of black left over.
    EXPECT_LT(taken, 2.5e6) << taken;
}

TEST(AverageRate, ForeignPicturesAreRefused) {
    const SimulatedClip clip = simulated_clip(Story::steady, 4, 2);
    RateSettings settings = average(800e3);
    settings.before = simulate(settings, clip).records;
    EXPECT_THROW(simulate(settings, simulated_clip(Story::steady, 4, 0)), InputError);
    EXPECT_THROW(simulate(settings, simulated_clip(Story::steady, 5, 2)), InputError);
}

TEST(AverageRate, WhatIsToldEarlyIsNotUsedEarly) {
    SimulatedClip clip = simulated_clip(Story::cuts, 4, 2);
    clip.stream.delay = 5;
    const RateSettings settings = average(800e3);
    std::vector<std::vector<double>> quantisers;
    for (const int held_back : {0, 1, 5})
        quantisers.push_back(simulate(*make_rate_control(settings, clip.stream), clip, held_back).quantisers);
    EXPECT_EQ(quantisers[0], quantisers[1]);
    EXPECT_EQ(quantisers[0], quantisers[2]);
    clip.stream.delay = 0;
    EXPECT_NE(quantisers[0], simulate(settings, clip).quantisers);
    clip.stream.delay = 5;
    const SimulatedClip longer = [&] {
        SimulatedClip made = simulated_clip(Story::cuts, 10, 2);
        made.stream.delay = 5;
        return made;
    }();
    EXPECT_LT(std::abs(miss(simulate(settings, longer), 800e3)), 0.04);
}

TEST(ConstantQuality, SixMoreIsTwiceTheQuantiser) {
    const SimulatedClip clip = simulated_clip(Story::steady, 4);
    RateSettings settings;
    settings.quality = 20;
    const SimulatedCoding fine = simulate(settings, clip);
    settings.quality = 26;
    const SimulatedCoding coarse = simulate(settings, clip);
    for (std::size_t i = 0; i < fine.quantisers.size(); ++i)
        EXPECT_NEAR(coarse.quantisers[i] / fine.quantisers[i], 2, 0.03);
    settings.quality = 51;
    EXPECT_EQ(simulate(settings, clip).quantisers.back(), 31);
    settings.quality = 0;
    EXPECT_EQ(simulate(settings, clip).quantisers.back(), 1);
}

TEST(Limits, HoldWhateverTheRateAsks) {
    RateSettings settings = average(10e3);
    settings.least_quantiser = 3;
    settings.largest_quantiser = 9;
    const SimulatedClip clip = simulated_clip(Story::black_then_noise, 10, 2);
    for (const double rate : {10e3, 100e6}) {
        settings.bits_per_second = rate;
        const SimulatedCoding coding = simulate(settings, clip);
        EXPECT_GE(*std::min_element(coding.quantisers.begin(), coding.quantisers.end()), 3);
        EXPECT_LE(*std::max_element(coding.quantisers.begin(), coding.quantisers.end()), 9);
        EXPECT_EQ(coding.quantisers.back(), rate < 1e6 ? 9 : 3);
    }
}

TEST(Limits, AStepIsNoLargerThanItMayBe) {
    RateSettings settings = average(400e3);
    settings.step = 2;
    const SimulatedCoding coding = simulate(settings, simulated_clip(Story::cuts, 10));
    for (std::size_t i = 1; i < coding.quantisers.size(); ++i) {
        if (i % 12 == 0 || i % 12 == 1) continue; // Another type has another quantiser.
        EXPECT_LE(std::abs(std::log2(coding.quantisers[i] / coding.quantisers[i - 1])), 2.0 / 6 + 0.02) << i;
    }
}

TEST(Zones, TheLastOneCounts) {
    RateSettings settings;
    settings.quality = 23;
    settings.zones = {{10, 30, 17.0, 1}, {20, 25, std::nullopt, 2}};
    const SimulatedClip clip = simulated_clip(Story::steady, 2);
    const SimulatedCoding coding = simulate(settings, clip);
    settings.zones.clear();
    const SimulatedCoding plain = simulate(settings, clip);
    EXPECT_EQ(coding.quantisers[9], plain.quantisers[9]);
    EXPECT_EQ(coding.quantisers[11], 17);
    EXPECT_NEAR(coding.quantisers[21], plain.quantisers[21] / 2, 0.02);
    EXPECT_EQ(coding.quantisers[27], 17);
    EXPECT_EQ(coding.quantisers[31], plain.quantisers[31]);
}

/// Plays sizes into the model of the buffer: underflows.
int underflows(const SimulatedCoding& coding, const RateSettings& settings) {
    RateStream stream;
    stream.pictures_per_second = {25, 1};
    Vbv vbv(*buffer_of(settings, declared(settings, stream)));
    int count = 0;
    for (const std::uint64_t bits : coding.bits)
        count += vbv.take(static_cast<std::int64_t>(bits)) ? 0 : 1;
    return count;
}

TEST(Buffer, NeverUnderflowsWhereQuantisersCanHelp) {
    for (const Story story : stories) {
        for (const double rate : {600e3, 1500e3, 4000e3}) {
            for (const double seconds : {0.5, 1.0}) {
                for (const int bframes : {0, 2}) {
                    const SimulatedClip clip = simulated_clip(story, 20, bframes);
                    if (simulate(average(1), clip).bits_per_second() > 0.4 * rate) continue;
                    const RateSettings settings = buffered(rate, seconds);
                    for (const SimulatedClip& each : {clip, foreseen(clip, 40)}) {
                        const SimulatedCoding coding = simulate(settings, each);
                        EXPECT_EQ(underflows(coding, settings), 0)
                            << name_of(story) << " at " << rate << ", " << seconds << " s, " << bframes << " B";
                        EXPECT_LT(coding.again, 60) << name_of(story) << " at " << rate;
                    }
                }
            }
        }
    }
}

TEST(Buffer, CostsLittleOfTheRate) {
    const SimulatedClip clip = simulated_clip(Story::steady, 20, 2);
    for (const double rate : {600e3, 1500e3, 4000e3})
        EXPECT_NEAR(miss(simulate(buffered(rate, 1), clip), rate), 0, 0.05) << rate;
}

/// Nothing is saved for scenes that are dear while the buffer is full: it could not be kept.
TEST(Buffer, WhatArrivesIsSpentWhereItIsAllThatIsAskedFor) {
    for (const Story story : {Story::steady, Story::cuts}) {
        for (const double rate : {600e3, 1000e3, 1500e3}) {
            const SimulatedClip clip = foreseen(simulated_clip(story, 20, 2), 40);
            const RateSettings settings = buffered(rate, 0.5);
            const SimulatedCoding coding = simulate(settings, clip);
            EXPECT_NEAR(miss(coding, rate), 0, 0.02) << name_of(story) << " at " << rate;
            EXPECT_EQ(underflows(coding, settings), 0) << name_of(story) << " at " << rate;
        }
    }
}

TEST(Buffer, WithoutTheGuardItWouldUnderflow) {
    const SimulatedClip clip = simulated_clip(Story::cuts, 20);
    EXPECT_GT(underflows(simulate(average(600e3), clip), buffered(600e3, 0.5)), 0);
}

TEST(Buffer, ASecondPassKeepsItToo) {
    for (const Story story : {Story::steady, Story::cuts, Story::fades}) {
        const SimulatedClip clip = simulated_clip(story, 20, 2);
        RateSettings settings = buffered(1000e3, 1);
        settings.before = simulate(settings, clip).records;
        const SimulatedCoding coding = simulate(settings, clip);
        EXPECT_EQ(underflows(coding, settings), 0) << name_of(story);
        EXPECT_NEAR(miss(coding, 1000e3), 0, 0.03) << name_of(story);
    }
}

TEST(Buffer, QualityIsBoundedByIt) {
    const SimulatedClip clip = simulated_clip(Story::cuts, 20);
    RateSettings settings = buffered(1500e3, 1);
    settings.bits_per_second = 0;
    settings.quality = 10;
    EXPECT_EQ(underflows(simulate(settings, clip), settings), 0);
    settings.vbv_bits = 0;
    EXPECT_GT(underflows(simulate(settings, clip), buffered(1500e3, 1)), 0);
}

TEST(Buffer, WhatCannotFitIsCodedOnceMoreAtMostAtTheCoarsest) {
    const SimulatedClip clip = simulated_clip(Story::black_then_noise, 10);
    const RateSettings settings = buffered(100e3, 0.5);
    const SimulatedCoding coding = simulate(settings, clip);
    EXPECT_GT(underflows(coding, settings), 0);
    EXPECT_EQ(coding.quantisers.at(60), 31);
}

TEST(Buffer, WhatCannotFitEndsTheEncode) {
    const SimulatedClip clip = simulated_clip(Story::black_then_noise, 10);
    const RateSettings settings = buffered(100e3, 0.5);
    const auto control = make_rate_control(settings, declared(settings, clip.stream));
    try {
        simulate(*control, clip);
        FAIL() << "nothing was said";
    } catch (const RunError& error) {
        EXPECT_TRUE(std::string(error.what()).find("bits at quantiser 31, the coarsest") != std::string::npos)
            << error.what();
    }
}

TEST(Buffer, AConstantRateIsStuffed) {
    const SimulatedClip clip = simulated_clip(Story::black_then_noise, 20);
    RateSettings settings = buffered(4000e3, 0.5);
    settings.constant = true;
    const SimulatedCoding coding = simulate(settings, clip);
    Vbv vbv(*buffer_of(settings, declared(settings, clip.stream)));
    double sum = 0;
    int stuffed = 0;
    for (const std::uint64_t bits : coding.bits) {
        const std::int64_t all = std::max(static_cast<std::int64_t>(bits), vbv.least());
        stuffed += all > static_cast<std::int64_t>(bits) ? 1 : 0;
        sum += static_cast<double>(all);
        EXPECT_TRUE(vbv.take(all));
    }
    EXPECT_GT(stuffed, 100) << "black fills no channel";
    EXPECT_NEAR(sum / 20 / 4000e3, 1, 0.03);
}

TEST(CoarserRows, AreAsFewAsSuffice) {
    PictureBits bits{1000, std::vector<std::uint64_t>(10, 100)};
    const auto few = coarser_rows(PictureType::predicted, bits, 980);
    ASSERT_TRUE(few);
    EXPECT_EQ(few->first, 8U);
    EXPECT_NEAR(few->times, std::pow(200 / (200 - 1000 + 0.99 * 980), 1 / 1.2), 1e-9);
    EXPECT_FALSE(coarser_rows(PictureType::predicted, bits, 500)) << "half of it cannot make up for half of it";
    EXPECT_FALSE(coarser_rows(PictureType::predicted, {1000, {}}, 980)) << "slices over several rows";
    bits.rows.back() = 0;
    bits.rows.front() = 200;
    EXPECT_LT(coarser_rows(PictureType::predicted, bits, 980)->first, 8U) << "an empty row makes up for nothing";
}

TEST(CoarserRows, TheRowsAboveStayAsTheyAre) {
    const SimulatedClip clip = simulated_clip(Story::steady, 2);
    const RateSettings settings = buffered(1000e3, 0.5);
    const auto control = make_rate_control(settings, declared(settings, clip.stream));
    const PlannedPicture& picture = clip.pictures[0].plan;
    const Quality first = control->plan(picture, clip.pictures[0].costs);
    const std::size_t rows = 18, columns = 22;
    // A little more than there is.
    const std::uint64_t row = 1000 * 450 * 101 / 100 / rows;
    const auto again = control->accept(picture, first, {row * rows, std::vector<std::uint64_t>(rows, row)});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->quantiser, first.quantiser);
    ASSERT_EQ(again->offsets.size(), rows * columns);
    const auto begin = std::ranges::find_if(again->offsets, [](float offset) { return offset != 0; });
    EXPECT_EQ((begin - again->offsets.begin()) % static_cast<std::ptrdiff_t>(columns), 0);
    EXPECT_GE(begin - again->offsets.begin(), static_cast<std::ptrdiff_t>(rows / 2 * columns));
    EXPECT_TRUE(std::all_of(begin, again->offsets.end(), [](float offset) { return offset >= 1; }));
    // The quantisers of those above are what they were, however they are spread over the slices.
    std::vector<SliceExtent> slices;
    for (int i = 0; i < static_cast<int>(rows); ++i)
        slices.push_back({i * static_cast<int>(columns), (i + 1) * static_cast<int>(columns)});
    std::vector<std::uint8_t> before(rows * columns), after(rows * columns);
    spread_quantiser(first, slices, false, before);
    spread_quantiser(*again, slices, false, after);
    const auto differs = std::ranges::mismatch(before, after).in1 - before.begin();
    EXPECT_EQ(differs, begin - again->offsets.begin());
    // Where that was not enough, the picture is coarser as a whole.
    const auto whole = control->accept(picture, *again, {row * rows, std::vector<std::uint64_t>(rows, row)});
    ASSERT_TRUE(whole);
    EXPECT_GT(whole->quantiser, first.quantiser);
    EXPECT_TRUE(whole->offsets.empty());
}

TEST(Given, APictureHasTheQuantiserThatSomebodyWants) {
    const SimulatedClip clip = simulated_clip(Story::steady, 2);
    RateSettings settings = average(800e3);
    settings.given = {{3, std::nullopt, 29.0}, {7, PictureType::predicted, std::nullopt}, {12, std::nullopt, 2.0}};
    const SimulatedCoding coding = simulate(settings, clip);
    EXPECT_EQ(coding.quantisers[3], 29);
    EXPECT_EQ(coding.quantisers[12], 2);
    EXPECT_NE(coding.quantisers[7], coding.quantisers[3]);
    settings.given[1].type = PictureType::bidirectional;
    EXPECT_THROW(simulate(settings, clip), InputError);
}

} // namespace
} // namespace tandem::test
