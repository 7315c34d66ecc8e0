// SPDX-License-Identifier: BSD-2-Clause
// Video that exists as numbers alone, coded by a made-up coder: rate control without a picture.
#pragma once

#include <string>
#include <vector>

#include "encoder/rate/controlled_rate.h"

namespace tandem::test {

/// A picture as rate control sees it, and what the made-up coder makes of it.
struct SimulatedPicture {
    PlannedPicture plan;
    PictureCosts costs;
    double factor = 1;   ///< Bits for a unit of cost at quantiser 1, which nobody is told.
    double exponent = 1; ///< How they fall with the quantiser.
    double overhead = 0; ///< Bits that no quantiser changes.
    double dense = 0;    ///< Bits above which they fall as the quantiser's logarithm does; 0: nowhere.
};

/// What happens in a clip.
enum class Story { steady, cuts, fades, black_then_noise, still, all_intra };
inline constexpr Story stories[] = {Story::steady,           Story::cuts,  Story::fades,
                                    Story::black_then_noise, Story::still, Story::all_intra};
std::string name_of(Story story);

struct SimulatedClip {
    std::vector<SimulatedPicture> pictures; ///< In coding order.
    RateStream stream;
};

/// So many seconds of CIF at 25 pictures a second, an I picture every `keyint`.
SimulatedClip simulated_clip(Story story, double seconds, int bframes = 0, int keyint = 12);

/// The clip as a lookahead hands it on that holds so many pictures back.
SimulatedClip foreseen(SimulatedClip clip, std::size_t pictures);

struct SimulatedCoding {
    std::vector<double> quantisers;
    std::vector<std::uint64_t> bits;
    std::vector<PassRecord> records;
    int again = 0; ///< Pictures that were coded again, each time counted.
    double bits_per_second() const;
};

/// `held_back`: pictures by which the news of sizes lags, at most the control's delay().
SimulatedCoding simulate(RateControl& control, const SimulatedClip& clip, int held_back = 0);
/// A buffer of the settings is declared as they have it, and soft.
SimulatedCoding simulate(const RateSettings& settings, const SimulatedClip& clip);
/// One pass at a rate, without a buffer.
RateSettings average(double bits_per_second);
/// By how much of the rate it was missed; negative: too few bits.
double miss(const SimulatedCoding& coding, double wanted);
RateStream declared(const RateSettings& settings, RateStream stream);

} // namespace tandem::test
