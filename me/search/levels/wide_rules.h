// SPDX-License-Identifier: BSD-2-Clause
// The rules of the wide search (wide_search.h), for CPU and GPU alike: its levels, how far it goes on them, for which
// blocks, and which drawn ones are searched whole after it.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// Full, half and quarter size: it begins on the smallest.
inline constexpr int wide_search_levels = 3;
/// Vectors that each level hands to the next.
inline constexpr int wide_search_candidates = 6;
/// Pels in samples of the smallest level: rounded up.
constexpr int wide_range_on_smallest_level(int pels) {
    constexpr int level = wide_search_levels - 1;
    return (pels + (1 << level) - 1) >> level;
}

/// Where the best vector so far leaves no more distortion than so many bits are worth, a wide search has little to
/// gain.
inline constexpr std::uint32_t wide_search_bits = 64;

TANDEM_HOST_DEVICE constexpr bool leaves_much(std::uint32_t distortion, std::uint32_t lambda_q8) {
    return std::uint64_t{distortion} << 8 > std::uint64_t{wide_search_bits} * lambda_q8;
}

/// `best` so far; `lambda_q8` as in SearchParams. An exact copy from elsewhere is a drawing, of which there may be more
/// copies, and one of these may have been coded better.
TANDEM_HOST_DEVICE constexpr bool wants_wide_search(const Candidate& best, std::uint32_t lambda_q8) {
    return leaves_much(best.distortion, lambda_q8) || (best.distortion == 0 && !(best.mv == Mv{}));
}

/// Where a block still differs by more than this a sample after a wide search about its best vector, another one goes
/// about zero: for what lies still beside an object that is far away, and for small objects that are.
inline constexpr std::uint32_t much_distortion = 12;

/// How many pels that one goes: on the smallest level that are 63 columns of vectors, which a warp of a GPU takes in
/// two strokes.
constexpr int wide_range_about_zero(int wide_range) {
    constexpr int least = 124;
    return wide_range > least ? wide_range : least;
}

/// `distortion` is the best vector's after the first wide search; where null_gain may put zero in its place, nobody
/// searches again.
template <class Rules>
TANDEM_HOST_DEVICE constexpr bool wants_search_about_zero(const Rules& rules, std::uint32_t distortion,
                                                          std::uint32_t samples) {
    return rules.null_gain == 0 && distortion > much_distortion * samples && leaves_much(distortion, rules.lambda_q8);
}

/// A drawing's fine texture is lost on smaller levels, so that a wide search finds little of it: a drawn block of which
/// no exact copy is found is searched at every vector within so many pels of zero.
inline constexpr int drawn_range = 128;

/// Whether a block is searched so if it is drawn. `distortion` is the best vector's so far.
template <class Rules>
TANDEM_HOST_DEVICE constexpr bool wants_drawn_search(const Rules& rules, std::uint32_t distortion) {
    return rules.null_gain == 0 && distortion != 0;
}

inline constexpr int brightness_levels = 256;

/// Of the samples of a block, which are 16384 at most.
struct BrightnessPairs {
    std::uint32_t equal = 0;    ///< The sum of squares of how many samples have each brightness.
    std::uint32_t adjacent = 0; ///< The sum of products of how many have a brightness and how many the next one.
    std::uint32_t spread = 0;   ///< The largest brightness less the smallest.
};

/// Whether two samples of a block, taken at random, are equal in one of five cases or more and seldom differ by one, as
/// a camera's noise and soft edges make them differ: the higher the contrast, the more of such pairs may be.
TANDEM_HOST_DEVICE constexpr bool is_drawn(const BrightnessPairs& pairs, std::uint32_t samples) {
    return 5 * pairs.equal >= samples * samples &&
           std::uint64_t{brightness_levels} * pairs.adjacent < std::uint64_t{pairs.spread} * pairs.equal;
}

} // namespace tandem
