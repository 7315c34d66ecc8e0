// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search (Mazaré, 2006): every vector on the smallest level of a pyramid, then on each larger one the
// best few, doubled, with their 8 neighbours.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "me/search/levels/level_block.h"
#include "me/search/levels/pyramid.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

class HierarchicalSearch final : public Search {
  public:
    explicit HierarchicalSearch(const SearchInput& input)
        : input_(input), current_(input.current, input.params->levels, 0, *input.workers),
          reference_(input.reference, input.params->levels, input.border, *input.workers) {
        // A level has fewer samples, so that its share of the rate is smaller.
        for (int level = 0; level < input.params->levels; ++level)
            rates_.emplace_back(input.params->lambda_q8, 2 * level);
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        LevelScratch scratch;
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search, scratch);
                search.store(field);
            }
        }
    }

  private:
    void search_block(BlockSearch& search, LevelScratch& scratch) const {
        const int top = input_.params->levels - 1;
        BestVectors found(input_.params->level_candidates);
        LevelBlock smallest = on_level(search, top);
        smallest.search_all(found, scratch);
        search.count(smallest.evaluated());
        for (int level = top - 1; level > 0; --level) {
            LevelBlock block = on_level(search, level);
            BestVectors finer(input_.params->level_candidates);
            block.search_these(vectors_about_doubled(found, block.window(), scratch), finer, scratch);
            search.count(block.evaluated());
            found = finer;
        }
        if (top == 0) {
            for (std::size_t i = 0; i < found.size(); ++i)
                search.propose(found[i].x, found[i].y);
        } else {
            search.propose_all(0, 0, vectors_about_doubled(found, search.window(), scratch), 1, 1);
        }
    }

    LevelBlock on_level(const BlockSearch& search, int level) const {
        const BlockRect rect = level_rect(search.block(), level);
        const PlaneView current = current_.level(level);
        const Window window = level_window(rect, current, *input_.params, level);
        const LevelRate rate{search.predictor(), level, &rates_[static_cast<std::size_t>(level)]};
        return {input_, current, reference_.level(level), rect, window, rate};
    }

    SearchInput input_;
    Pyramid current_, reference_;
    std::vector<Rates> rates_; ///< By levels.
};

} // namespace

std::unique_ptr<Search> make_hierarchical_search(const SearchInput& input, int, int) {
    return std::make_unique<HierarchicalSearch>(input);
}

} // namespace tandem
