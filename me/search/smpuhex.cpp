// SPDX-License-Identifier: BSD-2-Clause
// Simplified unsymmetrical multi-hexagon search (Yi, Zhang, Li and Gao, JVT-P021, 2005): few candidates where the first
// ones are good, crosses and growing hexagons where they are not. It starts at the median of its neighbours' vectors.
// In pass order those come from the pass before, so that blocks do not wait for one another; in raster order, as in the
// joint model, from blocks of the same pass, one after another.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "me/search/levels/coarse_motion.h"
#include "me/search/neighbours.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

/// The thresholds are for 256 samples; JM scales them by fixed shifts per partition, this by the samples of the block.
std::uint32_t scaled(std::uint32_t threshold, const BlockRect& block) {
    return static_cast<std::uint32_t>(std::uint64_t{threshold} * block.samples() / 256);
}

/// Tries whole vector `mv` moved into the window.
void propose_inside(BlockSearch& search, Mv mv) {
    const Window& w = search.window();
    search.propose(std::clamp(mv.x / eighths_per_pel, w.min_x, w.max_x),
                   std::clamp(mv.y / eighths_per_pel, w.min_y, w.max_y));
}

int larger_range(const SearchParams& params) { return std::max(params.range_x, params.range_y); }

/// The cross at odd distances, the hexagon, and the large hexagons, all about one centre.
std::vector<Offset> wide_pattern(int range) {
    std::vector<Offset> wide(patterns::hexagon.places, patterns::hexagon.places + patterns::hexagon.count);
    const auto add = [&wide](const Pattern& pattern, int scale) {
        for (const Offset& offset : offsets_of(pattern))
            wide.push_back({scale * offset.x, scale * offset.y});
    };
    for (int distance = 1; distance < range; distance += 2)
        add(patterns::small_diamond, distance);
    for (int size = 1; size <= range / 4; ++size)
        add(patterns::large_hexagon, size);
    return wide;
}

void search_block(BlockSearch& search, const SearchParams& params, std::span<const Offset> wide_pattern) {
    const auto cost = [&] { return search.list().best().cost; };
    const std::uint32_t converged = scaled(params.smpuhex_converged, search.block());
    const bool small = search.block().samples() < 256;
    const std::uint32_t wide = scaled(small ? params.smpuhex_wide_small : params.smpuhex_wide, search.block());
    const int range = larger_range(params);

    const bool good_start = cost() < converged;
    try_pattern(search, patterns::small_diamond);
    if (good_start) return;
    if (cost() > wide) try_pattern(search, wide_pattern);
    if (search.list().best().mv != Mv{}) try_pattern(search, patterns::small_diamond);
    if (cost() < converged) {
        try_pattern(search, patterns::small_diamond);
        return;
    }
    for (int i = 0; i < range && try_pattern(search, patterns::hexagon); ++i) {
    }
    for (int i = 0; i < range && try_pattern(search, patterns::small_diamond); ++i) {
    }
}

class SmpUHexSearch final : public Search {
  public:
    SmpUHexSearch(const SearchInput& input, int first_row, int end_row)
        : input_(input), params_(*input.params), pass_params_(params_),
          wide_pattern_(wide_pattern(larger_range(params_))), before_(empty_field(params_.candidates)) {
        if (begins_at_predictors(params_))
            coarse_.emplace(input_, first_row - rows_above_smpuhex(params_, first_row), end_row);
        if (params_.block_order == BlockOrder::raster) {
            search_in_raster_order(end_row);
            return;
        }
        pass_params_.candidates = 1;
        SearchInput pass_input = input;
        pass_input.params = &pass_params_;
        // Pass p reads rows r - 1 and r of pass p - 1.
        for (int pass = 0; pass + 1 < params_.passes; ++pass) {
            const int first = std::max(0, first_row - (params_.passes - 1 - pass));
            MotionField found = empty_field(1);
            input_.workers->for_each(end_row - first,
                                     [&](int item, int) { search_row(pass_input, first + item, pass > 0, found); });
            for (int row = first; row < end_row; ++row)
                found.add_evaluated(row, before_.evaluated(row));
            before_ = std::move(found);
        }
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            if (params_.block_order == BlockOrder::raster)
                copy_row(row, field);
            else
                search_row(input_, row, params_.passes > 1, field);
            field.add_evaluated(row, before_.evaluated(row));
            if (coarse_) field.add_evaluated(row, coarse_->evaluated(row));
        }
    }

  private:
    MotionField empty_field(int candidates) const {
        return {input_.current.width, input_.current.height, params_.block_width, params_.block_height, candidates};
    }

    void propose_coarse(BlockSearch& search) const {
        if (coarse_) search.propose_all(0, 0, coarse_->starts(search.block(), search.window()).span(), 1, 1);
    }

    /// One row, from the vectors of the pass before where there was one.
    void search_row(const SearchInput& input, int row, bool has_neighbours, MotionField& found) const {
        for (int column = 0; column < found.columns(); ++column) {
            BlockSearch search(input, found, column, row);
            if (!search.settled()) {
                propose_coarse(search);
                if (has_neighbours) {
                    propose_inside(search, median_of_neighbours(before_, column, row));
                    propose_inside(search, before_.best(column, row).mv);
                }
                search_block(search, params_, wide_pattern_);
            }
            search.store(found);
        }
    }

    /// From the first row of the picture on, since each row depends on the one above it.
    void search_in_raster_order(int end_row) {
        for (int row = 0; row < end_row; ++row) {
            for (int column = 0; column < before_.columns(); ++column) {
                BlockSearch search(input_, before_, column, row);
                if (!search.settled()) {
                    propose_coarse(search);
                    propose_inside(search, median_of_neighbours(before_, column, row));
                    search_block(search, params_, wide_pattern_);
                }
                search.store(before_);
            }
        }
    }

    void copy_row(int row, MotionField& field) const {
        for (int column = 0; column < field.columns(); ++column) {
            std::ranges::copy(before_.block(column, row), field.block(column, row).begin());
        }
    }

    SearchInput input_;
    const SearchParams& params_;
    SearchParams pass_params_; ///< Of the passes before the last, which keep one candidate.
    std::vector<Offset> wide_pattern_;
    std::optional<CoarseMotion> coarse_; ///< Where the walk begins at predictors.
    MotionField before_;                 ///< The pass before the last; in raster order, the result. Counts what
                                         ///< all passes so far measured.
};

} // namespace

/// Each pass reads the row above its own; in raster order each row depends on all before it.
int rows_above_smpuhex(const SearchParams& params, int first_row) {
    return params.block_order == BlockOrder::raster ? first_row : std::min(params.passes - 1, first_row);
}

std::unique_ptr<Search> make_smpuhex_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<SmpUHexSearch>(input, first_row, end_row);
}

} // namespace tandem
