// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/levels/coarse_motion.h"

#include <algorithm>

#include "me/search/levels/wide_rules.h"

namespace tandem {

namespace {

BlockRect cell_rect(PlaneView plane, int column, int row) {
    const int x = column * coarse_cell_side, y = row * coarse_cell_side;
    return {x, y, std::min(coarse_cell_side, plane.width - x), std::min(coarse_cell_side, plane.height - y)};
}

} // namespace

VectorLimits on_level(const VectorLimits& limits, int level) {
    const auto scaled = [level](int pels) { return (pels + (1 << level) - 1) >> level; };
    return {scaled(limits.x), scaled(limits.y)};
}

int smallest_coarse_level(const VectorLimits& limits, int width, int height) {
    for (int level = 1; level < most_levels - 1; ++level) {
        const int side = coarse_cell_side << level;
        const std::int64_t cells = std::int64_t{blocks_along(width, side)} * blocks_along(height, side);
        const VectorLimits scaled = on_level(limits, level);
        const std::int64_t vectors = std::int64_t{2 * scaled.x + 1} * (2 * scaled.y + 1);
        if (4 * cells * vectors <= 3 * std::int64_t{width} * height) return level;
    }
    return most_levels - 1;
}

int pyramid_levels(const SearchParams& params, int width, int height) {
    const int coarse = smallest_coarse_level(vector_limits(params, width, height), width, height) + 1;
    return params.wide_range > 0 ? std::max(coarse, wide_search_levels) : coarse;
}

/// A level of both pyramids and what bounds its vectors.
struct CoarseMotion::Level {
    int number;
    PlaneView current, reference;
    VectorLimits limits;
};

CoarseMotion::CoarseMotion(const SearchInput& input, int first_row, int end_row)
    : input_(input), rates_(input.params->lambda_q8, coarse_rate_shift),
      limits_(vector_limits(*input.params, input.current.width, input.current.height)),
      smallest_(smallest_coarse_level(limits_, input.current.width, input.current.height)),
      evaluated_(static_cast<std::size_t>(blocks_along(input.current.height, input.params->block_height))) {
    const int levels = pyramid_levels(*input.params, input.current.width, input.current.height);
    current_ = input.pyramids->of({input.current_picture, levels, 0}, input.current, *input.workers);
    reference_ = input.pyramids->of({input.reference_picture, levels, input.border}, input.reference, *input.workers);
    if (first_row >= end_row) return;
    const int height = input.params->block_height;
    for (int level = smallest_; level > 0; --level)
        search_level(level, first_row * height, std::min(end_row * height, input.current.height));
}

void CoarseMotion::search_level(int number, int first_y, int end_y) {
    const PlaneView current = current_->level(number);
    const Level level{number, current, reference_->level(number), on_level(limits_, number)};
    Cells found{blocks_along(current.width, coarse_cell_side), blocks_along(current.height, coarse_cell_side), {}};
    found.vectors.resize(static_cast<std::size_t>(found.columns) * static_cast<std::size_t>(found.rows));
    const int pels = coarse_cell_side << number;
    const CellBand wanted = cells_wanted(number, first_y, end_y, found.rows);
    const int first = wanted.first, end = wanted.end;
    std::vector<std::uint64_t> evaluated(static_cast<std::size_t>(end - first));
    input_.workers->for_each(end - first, [&](int item, int) {
        search_row(level, first + item, found, evaluated[static_cast<std::size_t>(item)]);
    });
    for (int row = first; row < end; ++row) {
        const int middle = std::min(row * pels + pels / 2, input_.current.height - 1);
        evaluated_[static_cast<std::size_t>(middle / input_.params->block_height)] +=
            evaluated[static_cast<std::size_t>(row - first)];
    }
    before_ = std::move(found);
}

void CoarseMotion::search_row(const Level& level, int row, Cells& found, std::uint64_t& evaluated) const {
    const Surroundings neighbours(1, 1, level.reference.stride);
    LevelScratch scratch;
    for (int column = 0; column < found.columns; ++column) {
        const BlockRect rect = cell_rect(level.current, column, row);
        const Window window =
            window_within(level.limits, rect, level.current.width, level.current.height, input_.params->boundary);
        LevelBlock cell(input_, level.current, level.reference, rect, window, {{}, level.number, &rates_});
        BestVector best;
        if (level.number == smallest_) {
            cell.search_all(best, scratch);
        } else {
            cell.search_these(starts_on_level(column, row, window).span(), best, scratch);
            cell.search_about((*best).vector(), neighbours, best, scratch);
        }
        found.vectors[static_cast<std::size_t>(row * found.columns + column)] = (*best).vector();
        evaluated += static_cast<std::uint64_t>(cell.evaluated());
    }
}

/// Zero, and the cell of the level before that this one lies in with the three that are nearest to it.
Starts CoarseMotion::starts_on_level(int column, int row, const Window& window) const {
    Starts starts;
    starts.add({0, 0});
    const Offset& own = before_.at(coarser_cell({column, row}, 0));
    starts.add(doubled(own, window));
#pragma GCC unroll 3
    for (int number = 1; number < coarser_cells; ++number)
        add_start(coarser_cell({column, row}, number), own, window, starts);
    return starts;
}

Starts CoarseMotion::starts(const BlockRect& block, const Window& window) const {
    const int x = block.x + block.width / 2, y = block.y + block.height / 2;
    Starts starts;
    const Offset& own = before_.at(cell_of_block(x, y, 0));
    starts.add(doubled(own, window));
#pragma GCC unroll 4
    for (int number = 1; number < cells_of_block; ++number)
        add_start(cell_of_block(x, y, number), own, window, starts);
    return starts;
}

} // namespace tandem
