// SPDX-License-Identifier: BSD-2-Clause
// The cells of one block of the current picture, as the elimination of positions compares them with the reference's.
#pragma once

#include <vector>

#include "me/block.h"
#include "me/search/cell_sums.h"

namespace tandem {

/// Used for one block after another.
class CellsOfBlock {
  public:
    /// `current` is the picture, `sums` those of the reference. There are no cells where `sums` is null, or where cells
    /// do not divide the block: it may be cut by the picture's edge.
    void set(const CellSums* sums, PlaneView current, const BlockRect& block);

    bool any() const { return sums_ != nullptr; }
    /// For a rectangle of positions whose first one is the displacement (x, y). Fine means are among them where SADs of
    /// `limit` are large beside their rounding.
    BlockCells from(int x, int y, std::uint32_t limit) const;

  private:
    void add_fine(PlaneView current);
    void add_coarse();

    const CellSums* sums_ = nullptr;
    BlockRect block_;
    std::vector<std::uint16_t> fine_sums_, coarse_sums_; ///< Of cells of 2x2 and of 4x4 samples.
    std::vector<BlockCell> cells_;
    std::vector<std::uint8_t> fine_values_, coarse_values_;
    CellMeans fine_{}, coarse_{};
};

} // namespace tandem
