// SPDX-License-Identifier: BSD-2-Clause
// Full search of several block sizes at once: the distortions of cells that all sizes are made of are measured once per
// position, and those of larger blocks are their sums.
#pragma once

#include <span>
#include <vector>

#include "me/search.h"

namespace tandem {

/// Whether SizesSearch is to find the fields of these sizes: full search of luma on the whole-pel grid, and sizes whose
/// sides are multiples of 4 and divide the largest width and height, of which one at least is measured at every
/// position anyway (see is_worth_eliminating()).
bool sizes_share_distortions(const SearchParams& params, std::span<const BlockSize> sizes);

/// One block size of a tree: cells, which are measured, or blocks that are sums of those of a smaller size.
struct SizeLevel {
    BlockSize size;
    int parts = -1;            ///< Which level it sums, one before it; -1: none, it is measured.
    int field = -1;            ///< Which field it fills; -1: none.
    bool narrow = true;        ///< Its distortions fit 16 bits.
    int columns = 1, rows = 1; ///< Blocks of this size in the largest.
};

/// Each field is bit for bit that of the full search of its size alone.
class SizesSearch {
  public:
    /// One input per field; they differ in the block size and in the hint. What they point to outlives the search.
    explicit SizesSearch(std::vector<SearchInput> inputs);

    /// Rows of blocks of the largest width and height: each holds whole rows of blocks of every size.
    int bands() const;
    /// Fills the rows of all fields that lie in a band. Thread-safe for different bands.
    void search_band(int band, std::span<MotionField> fields) const;

  private:
    std::vector<SearchInput> inputs_;
    BlockSize largest_;
    std::vector<SizeLevel> levels_;
};

} // namespace tandem
