// SPDX-License-Identifier: BSD-2-Clause
// Predictive search: every vector of a window about the best of zero, the predictor, and what a coarse search of the
// whole picture found about the block. So motion is found however large it is, at the price of a small window. A wide
// search by the block's own samples may follow, where that leaves much, and of drawn blocks without an exact copy one
// of every vector about zero.
#include <algorithm>
#include <optional>

#include "me/search/levels/coarse_motion.h"
#include "me/search/levels/wide_search.h"
#include "me/search/plain_block.h"
#include "me/search/searches.h"
#include "video/fetch_lines.h"

namespace tandem {

namespace {

class PredictiveSearch final : public Search {
  public:
    PredictiveSearch(const SearchInput& input, int first_row, int end_row)
        : input_(input), rates_(input.params->lambda_q8), coarse_(input_, first_row, end_row) {
        if (input_.params->wide_range > 0) wide_.emplace(input_, coarse_.current(), coarse_.reference());
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        const SearchParams& params = *input_.params;
        constexpr int small = Surroundings::most_reach;
        const bool is_plain = PlainBlock::suits(input_) && !wide_ && std::max(params.range_x, params.range_y) <= small;
        const Surroundings others(std::min(params.range_x, small), std::min(params.range_y, small),
                                  input_.reference.stride);
        LevelScratch scratch;
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                if (is_plain)
                    search_plainly({input_, rates_, field, column, row, scratch}, others, field);
                else
                    search_block(column, row, field, scratch);
            }
            field.add_evaluated(row, coarse_.evaluated(row));
        }
    }

  private:
    void search_plainly(PlainBlock block, const Surroundings& others, MotionField& field) const {
        if (!block.settled()) {
            block.begin(&coarse_);
            block.try_others(others);
            block.count_again(); // The middle of the window.
        }
        block.store(field);
        fetch_ahead(block.rect(), block.best());
    }

    void search_block(int column, int row, MotionField& field, LevelScratch& scratch) const {
        BlockSearch search(input_, field, column, row);
        if (!search.settled()) {
            search.propose_all(0, 0, coarse_.starts(search.block(), search.window()).span(), 1, 1);
            search_about_best(search, scratch.good);
            if (wide_ && wants_wide_search(search.list().best(), input_.params->lambda_q8))
                wide_->search_block(search, scratch);
            if (wide_ && wide_->leaves_drawing(search))
                search_about(search, {0, 0}, {drawn_range, drawn_range}, scratch.good);
        }
        search.store(field);
        fetch_ahead(search.block(), {search.best_x(), search.best_y()});
    }

    void search_about_best(BlockSearch& search, std::vector<MeasuredPosition>& good) const {
        const SearchParams& params = *input_.params;
        const int x = search.best_x(), y = search.best_y();
        if (params.range_x == 1 && params.range_y == 1) {
            search.propose_all(x, y, offsets_of(patterns::square), 1, 1);
            search.count(1); // The one in the middle, which is measured already.
            return;
        }
        search_about(search, {x, y}, {params.range_x, params.range_y}, good);
    }

    /// Every vector so far from the centre at most.
    void search_about(BlockSearch& search, Offset centre, Offset reach, std::vector<MeasuredPosition>& good) const {
        constexpr int most_rows = 16; // The limit falls from one rectangle to the next.
        const Window& all = search.window();
        const Window window{std::max(centre.x - reach.x, all.min_x), std::min(centre.x + reach.x, all.max_x),
                            std::max(centre.y - reach.y, all.min_y), std::min(centre.y + reach.y, all.max_y)};
        for (int first = window.min_y; first <= window.max_y; first += most_rows)
            search.propose_window({window.min_x, window.max_x, first, std::min(first + most_rows - 1, window.max_y)},
                                  good);
    }

    /// Asks for samples a line of the cache further to the right: the current picture's, and the reference's where a
    /// window as this one would be.
    void fetch_ahead(const BlockRect& block, const Offset& best) const {
        constexpr int ahead = 64;
        const int x = block.x + ahead, reach = input_.params->range_y;
        const std::ptrdiff_t stride = input_.reference.stride;
        fetch_lines(input_.current.row(block.y) + x, input_.current.stride, block.width, block.height);
        fetch_lines(input_.reference.data + (block.y + best.y - reach) * stride + x + best.x, stride, block.width,
                    block.height + 2 * reach);
    }

    SearchInput input_;
    Rates rates_;
    CoarseMotion coarse_;
    std::optional<WideSearch> wide_;
};

} // namespace

std::unique_ptr<Search> make_predictive_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<PredictiveSearch>(input, first_row, end_row);
}

} // namespace tandem
