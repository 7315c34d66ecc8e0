// SPDX-License-Identifier: BSD-2-Clause
// The motion vector, and the rules by which two of them are compared.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

/// Marks what kernels of a GPU call too: one rule, one text, on every machine.
#ifdef __CUDACC__
#define TANDEM_HOST_DEVICE __host__ __device__
#else
#define TANDEM_HOST_DEVICE
#endif

namespace tandem {

/// A motion vector in eighth-pel luma samples, x to the right and y down:
/// prediction(p) = reference(p + mv). Range +-32767, that is +-4095 7/8 pels.
struct Mv {
    std::int16_t x = 0;
    std::int16_t y = 0;
    /// Without a branch: whether neighbours move alike can hardly be foretold.
    TANDEM_HOST_DEVICE constexpr bool operator==(const Mv& other) const {
#ifdef __CUDACC__
        return ((x ^ other.x) | (y ^ other.y)) == 0;
#else
        return std::bit_cast<std::uint32_t>(*this) == std::bit_cast<std::uint32_t>(other);
#endif
    }
};

inline constexpr int eighths_per_pel = 8;
inline constexpr int eighths_per_half_pel = 4;

TANDEM_HOST_DEVICE constexpr Mv mv_from_pels(int x, int y) {
    return {static_cast<std::int16_t>(x * eighths_per_pel), static_cast<std::int16_t>(y * eighths_per_pel)};
}

/// What a search found at one position.
struct Candidate {
    Mv mv;
    std::uint32_t distortion = UINT32_MAX; ///< By the search's metric; UINT32_MAX: no candidate.
    std::uint32_t cost = UINT32_MAX;       ///< distortion + ((lambda_q8 * bits) >> 8), see cost.h.
    bool operator==(const Candidate&) const = default;
};

/// Whether there is a candidate.
TANDEM_HOST_DEVICE constexpr bool has_vector(const Candidate& candidate) { return candidate.distortion != UINT32_MAX; }

/// The one order of candidates, on every machine: lower cost, then the shorter vector (|x| + |y|), then the
/// smaller y, then the smaller x.
TANDEM_HOST_DEVICE constexpr bool better(std::uint32_t cost_a, Mv a, std::uint32_t cost_b, Mv b) {
    if (cost_a != cost_b) return cost_a < cost_b;
    const int length_a = (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y);
    const int length_b = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);
    if (length_a != length_b) return length_a < length_b;
    if (a.y != b.y) return a.y < b.y;
    return a.x < b.x;
}
TANDEM_HOST_DEVICE constexpr bool better(const Candidate& a, const Candidate& b) {
    return better(a.cost, a.mv, b.cost, b.mv);
}

} // namespace tandem
