// SPDX-License-Identifier: BSD-2-Clause
// Which blocks are searched widely (wide_search.h), for CPU and GPU alike.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// Where the best vector so far leaves no more distortion than so many bits are worth, a wide search has little to
/// gain.
inline constexpr std::uint32_t wide_search_bits = 64;

/// `distortion` is the best vector's, `lambda_q8` as in SearchParams.
TANDEM_HOST_DEVICE constexpr bool wants_wide_search(std::uint32_t distortion, std::uint32_t lambda_q8) {
    return std::uint64_t{distortion} << 8 > std::uint64_t{wide_search_bits} * lambda_q8;
}

} // namespace tandem
