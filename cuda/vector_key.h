// SPDX-License-Identifier: BSD-2-Clause
// Candidates as integers whose order is the order of better() in me/motion.h, so that a minimum finds the best.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem::cuda {

/// Cost and whole-pel vector in one integer: cost, |x| + |y|, y, sign of x. |x| and |y| are at most 1024 pels, the
/// largest range of a search.
using VectorKey = unsigned long long;

inline constexpr VectorKey no_vector_key = ~VectorKey{0};
inline constexpr int largest_range = 1024;

struct PelVector {
    int x, y;
};

TANDEM_HOST_DEVICE constexpr int magnitude(int value) { return value < 0 ? -value : value; }

TANDEM_HOST_DEVICE constexpr VectorKey vector_key(std::uint32_t cost, int x, int y) {
    const int tie = (magnitude(x) + magnitude(y)) << 13 | (y + largest_range) << 1 | (x > 0 ? 1 : 0);
    return static_cast<VectorKey>(cost) << 32 | static_cast<std::uint32_t>(tie);
}

TANDEM_HOST_DEVICE constexpr std::uint32_t cost_of_key(VectorKey key) { return static_cast<std::uint32_t>(key >> 32); }

TANDEM_HOST_DEVICE constexpr PelVector vector_of_key(VectorKey key) {
    const int tie = static_cast<int>(static_cast<std::uint32_t>(key));
    const int y = (tie >> 1 & 0xFFF) - largest_range;
    const int x = (tie >> 13) - magnitude(y);
    return {(tie & 1) != 0 ? x : -x, y};
}

/// The rows y = first .. first + count - 1 of one column of vectors, ranked as better() ranks equal costs:
/// nearest to zero first, and of two equally near the negative one.
class RankedRows {
  public:
    TANDEM_HOST_DEVICE constexpr RankedRows(int first, int count) {
        const int last = first + count - 1;
        if (first > 0 || last < 0) {
            paired_ = -1;
            offset_ = first > 0 ? first : -last;
        } else {
            paired_ = -first < last ? -first : last;
            offset_ = -paired_;
        }
        rest_is_negative_ = -first > last;
    }

    TANDEM_HOST_DEVICE constexpr int rank(int y) const {
        const int distance = magnitude(y);
        if (distance > paired_) return distance - offset_;
        return 2 * distance - (y < 0 ? 1 : 0);
    }

    TANDEM_HOST_DEVICE constexpr int row(int rank) const {
        if (rank <= 2 * paired_) return rank % 2 != 0 ? -(rank + 1) / 2 : rank / 2;
        const int distance = rank + offset_;
        return rest_is_negative_ ? -distance : distance;
    }

  private:
    int paired_; ///< Up to this |y| there are both signs; -1 where zero is not among the rows.
    int offset_; ///< From the rank of a row that has no counterpart of the other sign to its |y|.
    bool rest_is_negative_;
};

/// The rows of a column are split into cells, each of which gives its best key: `rows` rows each, but the last cell
/// has what is left, at least `least_tail` rows more where there are as many.
struct CellRows {
    static constexpr int least_tail = 15;

    int count; ///< Rows of the column.
    int rows;  ///< Rows of a cell; a multiple of 4.

    TANDEM_HOST_DEVICE constexpr int cells() const { return count > least_tail ? 1 + (count - least_tail) / rows : 1; }
    TANDEM_HOST_DEVICE constexpr int first(int cell) const { return cell * rows; }
    TANDEM_HOST_DEVICE constexpr int rows_of(int cell) const { return cell + 1 < cells() ? rows : count - cell * rows; }
    TANDEM_HOST_DEVICE constexpr int cell_of(int row) const {
        const int cell = row / rows;
        return cell < cells() ? cell : cells() - 1;
    }
};

} // namespace tandem::cuda
