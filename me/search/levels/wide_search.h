// SPDX-License-Identifier: BSD-2-Clause
// A wide search of one block by its own samples, for what the cells of the coarse search cannot tell apart: every
// vector of quarter size within SearchParams::wide_range of the best one so far, then at half and at full size the best
// few, doubled, with their 8 neighbours, as the multi-resolution search (hierarchical.cpp) does it; where that leaves
// much, the same about zero.
#pragma once

#include <array>
#include <memory>

#include "me/search/levels/level_block.h"
#include "me/search/levels/pyramid_store.h"
#include "me/search/levels/wide_rules.h"

namespace tandem {

class WideSearch {
  public:
    /// The pyramids of both pictures have wide_search_levels at least. `input` outlives this.
    WideSearch(const SearchInput& input, std::shared_ptr<const Pyramid> current,
               std::shared_ptr<const Pyramid> reference);

    /// Proposes what it finds.
    void search_block(BlockSearch& search, LevelScratch& scratch) const;

    /// Whether the block is drawn and is to be searched at every vector about zero, after that if there is such a
    /// search.
    bool leaves_drawing(const BlockSearch& search) const;

  private:
    static constexpr int half = 1, quarter = 2; ///< Levels.
    static_assert(quarter == wide_search_levels - 1);

    /// From every vector of quarter size within so many pels of the centre on.
    void search_within(int pels, Offset centre, BlockSearch& search, LevelScratch& scratch) const;
    /// At quarter size.
    Window window_about(const BlockSearch& search, Offset centre, int pels) const;
    LevelBlock on_level(const BlockSearch& search, int level, const Window& window) const;
    Window window_of(const BlockSearch& search, int level) const;

    const SearchInput& input_;
    std::shared_ptr<const Pyramid> current_, reference_;
    std::array<Rates, quarter> rates_; ///< From half size on.
};

} // namespace tandem
