// SPDX-License-Identifier: BSD-2-Clause
// A dense grid of candidates, K per block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "me/motion.h"

namespace tandem {

/// Blocks along a side of a picture, the last of which may be cut. Both at least 1.
constexpr int blocks_along(int size, int block) { return (size - 1) / block + 1; }

/// Blocks in raster order, block (column, row) covering luma samples from (column * block_width, row * block_height),
/// cut at the right and bottom edge. Every block has K slots, best first (by better(), but zero first where null_gain
/// kept it), distinct vectors; slots without a candidate have distortion UINT32_MAX and come last. Slot 0 is filled by
/// every search but `given`.
///
///     const Candidate& best = field.best(3, 2);        // Of the block at samples (48, 32), where blocks are 16x16.
///     printf("%.3f pels\n", best.mv.x / 8.0);          // Vectors are in eighths of a pel.
class MotionField {
  public:
    MotionField() = default;
    MotionField(int picture_width, int picture_height, int block_width, int block_height, int candidates);

    int picture_width() const { return picture_width_; }
    int picture_height() const { return picture_height_; }
    int block_width() const { return block_width_; }
    int block_height() const { return block_height_; }
    int columns() const { return columns_; }
    int rows() const { return rows_; }
    int candidates() const { return candidates_; }

    std::span<Candidate> block(int column, int row) {
        return {cells_.data() + first_slot(column, row), static_cast<std::size_t>(candidates_)};
    }
    std::span<const Candidate> block(int column, int row) const {
        return {cells_.data() + first_slot(column, row), static_cast<std::size_t>(candidates_)};
    }
    const Candidate& best(int column, int row) const { return block(column, row).front(); }
    std::span<const Candidate> all() const { return cells_; }
    std::span<Candidate> all() { return cells_; }

    /// Positions whose distortion was measured to find the field, or one block row of it, every pass and refinement
    /// included; positions that elimination excluded are none of them. The same for any number of threads or bands and
    /// every SIMD level; 0 where the estimator does not count. What a search cost, not what it found: no part of ==.
    std::uint64_t evaluated() const;
    std::uint64_t evaluated(int row) const { return evaluated_.by_row[static_cast<std::size_t>(row)]; }
    /// Whether somebody has counted the row's, if only to none.
    bool is_counted(int row) const { return evaluated_.counted[static_cast<std::size_t>(row)] != 0; }
    void add_evaluated(int row, std::uint64_t positions) {
        evaluated_.by_row[static_cast<std::size_t>(row)] += positions;
        evaluated_.counted[static_cast<std::size_t>(row)] = 1;
    }

    bool operator==(const MotionField&) const = default;

  private:
    struct Evaluations {
        std::vector<std::uint64_t> by_row;
        std::vector<std::uint8_t> counted; ///< By row, 0 or 1.
        bool operator==(const Evaluations&) const { return true; }
    };

    /// Of a block, in cells_.
    std::size_t first_slot(int column, int row) const {
        return (static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)) *
               static_cast<std::size_t>(candidates_);
    }

    int picture_width_ = 0, picture_height_ = 0, block_width_ = 0, block_height_ = 0;
    int columns_ = 0, rows_ = 0, candidates_ = 0;
    std::vector<Candidate> cells_;
    Evaluations evaluated_;
};

} // namespace tandem
