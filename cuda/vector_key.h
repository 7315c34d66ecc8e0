// SPDX-License-Identifier: BSD-2-Clause
// Candidates as integers whose order is the order of better() in me/motion.h, so that a minimum finds the best.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem::cuda {

/// A vector in steps of the search's grid: whole pels, halves, quarters or eighths.
struct Position {
    int x, y;
};

/// Cost and position in one integer: cost, |x| + |y|, y, sign of x. |x| + |y| is at most `farthest_position`.
using VectorKey = unsigned long long;

inline constexpr VectorKey no_vector_key = ~VectorKey{0};
inline constexpr int farthest_position = 32767;

TANDEM_HOST_DEVICE constexpr int magnitude(int value) { return value < 0 ? -value : value; }

TANDEM_HOST_DEVICE constexpr VectorKey vector_key(std::uint32_t cost, int x, int y) {
    const auto length = static_cast<std::uint32_t>(magnitude(x) + magnitude(y));
    const auto height = static_cast<std::uint32_t>(y + 32768);
    return static_cast<VectorKey>(cost) << 32 | length << 17 | height << 1 | (x > 0 ? 1 : 0);
}

TANDEM_HOST_DEVICE constexpr std::uint32_t cost_of_key(VectorKey key) { return static_cast<std::uint32_t>(key >> 32); }

TANDEM_HOST_DEVICE constexpr Position position_of_key(VectorKey key) {
    const auto tie = static_cast<std::uint32_t>(key);
    const int y = static_cast<int>(tie >> 1 & 0xFFFF) - 32768;
    const int x = static_cast<int>(tie >> 17) - magnitude(y);
    return {(tie & 1) != 0 ? x : -x, y};
}

/// The rows y = first + i * 2^shift, i < count, of one column of positions, ranked as better() ranks equal costs:
/// nearest to zero first, and of two equally near the negative one.
struct RankedRows {
    int first, shift, count;

    TANDEM_HOST_DEVICE constexpr int rank(int y) const {
        const int distance = magnitude(y);
        const int nearer = below(distance) - below(1 - distance);
        const bool is_a_row = ((y + first) & ((1 << shift) - 1)) == 0 && first <= -y && -y <= last();
        return (nearer > 0 ? nearer : 0) + (y > 0 && is_a_row ? 1 : 0);
    }

  private:
    TANDEM_HOST_DEVICE constexpr int last() const { return first + ((count - 1) << shift); }
    /// Rows less than `limit`.
    TANDEM_HOST_DEVICE constexpr int below(int limit) const {
        const int distance = limit - first;
        const int rows = distance <= 0 ? 0 : (distance + (1 << shift) - 1) >> shift;
        return rows < count ? rows : count;
    }
};

/// The rows of a column are split into stretches, each of which gives its best key: `rows` rows each, but the last
/// stretch has what is left, at least `least_tail` rows more where there are as many.
struct StretchRows {
    static constexpr int least_tail = 15;

    int count; ///< Rows of the column.
    int rows;  ///< Rows of a stretch; a multiple of 4.

    TANDEM_HOST_DEVICE constexpr int stretches() const {
        return count > least_tail ? 1 + (count - least_tail) / rows : 1;
    }
    TANDEM_HOST_DEVICE constexpr int first(int stretch) const { return stretch * rows; }
    TANDEM_HOST_DEVICE constexpr int rows_of(int stretch) const {
        return stretch + 1 < stretches() ? rows : count - stretch * rows;
    }
    TANDEM_HOST_DEVICE constexpr int stretch_of(int row) const {
        const int stretch = row / rows;
        return stretch < stretches() ? stretch : stretches() - 1;
    }
};

} // namespace tandem::cuda
