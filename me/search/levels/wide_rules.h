// SPDX-License-Identifier: BSD-2-Clause
// The rules of the wide search (wide_search.h), for CPU and GPU alike: its levels, how far it goes on them, and for
// which blocks.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// Full, half and quarter size: it begins on the smallest.
inline constexpr int wide_search_levels = 3;
/// Vectors that each level hands to the next.
inline constexpr int wide_search_candidates = 6;
/// SearchParams::wide_range in samples of the smallest level: rounded up.
constexpr int wide_range_on_smallest_level(int pels) {
    constexpr int level = wide_search_levels - 1;
    return (pels + (1 << level) - 1) >> level;
}

/// Where the best vector so far leaves no more distortion than so many bits are worth, a wide search has little to
/// gain.
inline constexpr std::uint32_t wide_search_bits = 64;

/// `distortion` is the best vector's, `lambda_q8` as in SearchParams.
TANDEM_HOST_DEVICE constexpr bool wants_wide_search(std::uint32_t distortion, std::uint32_t lambda_q8) {
    return std::uint64_t{distortion} << 8 > std::uint64_t{wide_search_bits} * lambda_q8;
}

} // namespace tandem
