// SPDX-License-Identifier: BSD-2-Clause
// The one place of the cost rule: cost = distortion + ((lambda_q8 * bits) >> 8), integers only, for CPU and GPU alike.
#pragma once

#include <bit>
#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// Bits needed to write `value`: 0 for 0, else floor(log2(value)) + 1.
TANDEM_HOST_DEVICE constexpr int significant_bits(std::uint32_t value) {
#ifdef __CUDA_ARCH__
    return 32 - __clz(static_cast<int>(value));
#else
    return 63 ^ std::countl_zero(std::uint64_t{value} << 1 | 1); // The place of the highest bit, without a test for 0.
#endif
}

/// Length of one component's difference from its predictor: the signed Exp-Golomb code se(v) (ISO/IEC 14496-10
/// clause 9.1.1) of the difference in steps of `rate_unit` eighths, rounded toward zero. With m = |difference| /
/// rate_unit that is 2 * significant_bits(m) + 1: 1 bit for 0, 3 for +-1, 5 for +-2 and +-3, and so on. MPEG-1 and
/// MPEG-2 motion codes grow alike, and no f_code need be known before the search.
TANDEM_HOST_DEVICE constexpr int component_bits(int difference, int rate_unit) {
    const auto magnitude = static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
    const int steps_shift = (rate_unit >> 1) - (rate_unit >> 3); // The logarithm of 1, 2, 4 or 8.
    return 2 * significant_bits(magnitude >> steps_shift) + 1;
}

TANDEM_HOST_DEVICE constexpr int vector_bits(Mv mv, Mv predictor, int rate_unit) {
    return component_bits(mv.x - predictor.x, rate_unit) + component_bits(mv.y - predictor.y, rate_unit);
}

/// The largest cost a candidate may have; UINT32_MAX itself means "no candidate".
inline constexpr std::uint32_t largest_cost = UINT32_MAX - 1;

/// (lambda_q8 * bits) >> 8, saturated.
TANDEM_HOST_DEVICE constexpr std::uint32_t rate_of(int bits, std::uint32_t lambda_q8) {
    const std::uint64_t rate = (std::uint64_t{lambda_q8} * static_cast<std::uint64_t>(bits)) >> 8;
    return rate < largest_cost ? static_cast<std::uint32_t>(rate) : largest_cost;
}

TANDEM_HOST_DEVICE constexpr std::uint32_t cost_of(std::uint32_t distortion, std::uint32_t rate) {
    const std::uint64_t cost = std::uint64_t{distortion} + rate;
    return cost < largest_cost ? static_cast<std::uint32_t>(cost) : largest_cost;
}

TANDEM_HOST_DEVICE constexpr std::uint32_t cost_of(std::uint32_t distortion, Mv mv, Mv predictor,
                                                   std::uint32_t lambda_q8, int rate_unit) {
    return cost_of(distortion, rate_of(vector_bits(mv, predictor, rate_unit), lambda_q8));
}

} // namespace tandem
