// SPDX-License-Identifier: BSD-2-Clause
// A block whose best vector of luma is all that is wanted, and whose rates count from zero. It is searched as
// BlockSearch would do it, to the same vector and the same count of positions, for a fraction of the instructions.
#pragma once

#include <span>

#include "me/search/levels/coarse_motion.h"
#include "me/search/levels/level_block.h"

namespace tandem {

class PlainBlock {
  public:
    /// Whether such are all blocks of a search.
    static bool suits(const SearchInput& input);

    /// Where the parameters may keep zero unsearched, it is measured at once. The references, and the scratch, outlive
    /// the block.
    PlainBlock(const SearchInput& input, const Rates& rates, const MotionField& field, int column, int row,
               LevelScratch& scratch);

    /// True where settles_for_zero(), so that nothing else is to be tried.
    bool settled() const { return settled_; }
    const BlockRect& rect() const { return rect_; }
    Offset best() const { return (*best_).vector(); }

    /// Tries zero and where the block may begin; `coarse` may be null.
    void begin(const CoarseMotion* coarse);
    /// Tries the vectors about the best one.
    void try_others(const Surroundings& others);
    /// Tries the offsets, scaled, about the best vector; true when one of them is better.
    bool try_pattern(std::span<const Offset> offsets, int scale_x, int scale_y);
    /// Counts a position that was measured more often than once.
    void count_again() { ++counted_again_; }

    /// Writes the block's slot, and how many positions were measured for it.
    void store(MotionField& field) const;

  private:
    BlockRect rect_;
    LevelBlock block_;
    LevelScratch& scratch_;
    BestVector best_;
    int column_, row_;
    int counted_again_ = 0;
    bool has_zero_ = false, settled_ = false;
};

} // namespace tandem
