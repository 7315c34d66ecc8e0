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
    /// `current` is the picture, `sums` those of the reference, prepared for the block and its window. There are no
    /// cells where `sums` is null, or where it has none for a block of this size: the picture's edge may cut it.
    void set(const CellSums* sums, PlaneView current, const BlockRect& block);

    bool any() const { return sums_ != nullptr; }
    /// For a rectangle of positions whose first one is the displacement (x, y).
    BlockCells from(int x, int y) const;

  private:
    void add_sums(PlaneView current);

    const CellSums* sums_ = nullptr;
    BlockRect block_;
    CellKinds kinds_;
    BlockBytes bytes_;
    std::vector<BlockCell> cells_;
};

} // namespace tandem
