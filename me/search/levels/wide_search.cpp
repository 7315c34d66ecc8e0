// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/levels/wide_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "me/search/levels/coarse_motion.h"

namespace tandem {

WideSearch::WideSearch(const SearchInput& input, std::shared_ptr<const Pyramid> current,
                       std::shared_ptr<const Pyramid> reference)
    : input_(input), current_(std::move(current)),
      reference_(std::move(reference)), rates_{Rates(input.params->lambda_q8, 2 * half),
                                               Rates(input.params->lambda_q8, 2 * quarter)} {}

void WideSearch::search_block(BlockSearch& search, LevelScratch& scratch) const {
    const int range = input_.params->wide_range;
    search_within(range, {search.best_x(), search.best_y()}, search, scratch);
    if (wants_search_about_zero(*input_.params, search.list().best().distortion, search.block().samples()))
        search_within(wide_range_about_zero(range), {0, 0}, search, scratch);
}

bool WideSearch::leaves_drawing(const BlockSearch& search) const {
    if (!wants_drawn_search(*input_.params, search.list().best().distortion)) return false;
    const BlockRect& block = search.block();
    std::array<std::int16_t, brightness_levels> counts{};
    const std::uint8_t* row = search.current();
    for (int y = 0; y < block.height; ++y, row += input_.current.stride)
        for (int x = 0; x < block.width; ++x)
            ++counts[row[x]];
    const auto first = counts.begin(), end = counts.end();
    const auto is_there = [](std::int16_t count) { return count != 0; };
    const auto darkest = std::find_if(first, end, is_there);
    const auto after_brightest = std::find_if(counts.rbegin(), counts.rend(), is_there).base();
    return is_drawn({.equal = static_cast<std::uint32_t>(std::inner_product(first, end, first, 0)),
                     .adjacent = static_cast<std::uint32_t>(std::inner_product(first + 1, end, first, 0)),
                     .spread = static_cast<std::uint32_t>(after_brightest - darkest - 1)},
                    block.samples());
}

void WideSearch::search_within(int pels, Offset centre, BlockSearch& search, LevelScratch& scratch) const {
    BestVectors at_quarter(wide_search_candidates), at_half(wide_search_candidates);
    LevelBlock smallest = on_level(search, quarter, window_about(search, centre, pels));
    smallest.search_all(at_quarter, scratch);
    LevelBlock block = on_level(search, half, window_of(search, half));
    block.search_these(vectors_about_doubled(at_quarter, block.window(), scratch), at_half, scratch);
    search.count(smallest.evaluated() + block.evaluated());
    search.propose_all(0, 0, vectors_about_doubled(at_half, search.window(), scratch), 1, 1);
}

Window WideSearch::window_about(const BlockSearch& search, Offset centre, int pels) const {
    const Window all = window_of(search, quarter);
    const int x = std::clamp(centre.x >> quarter, all.min_x, all.max_x),
              y = std::clamp(centre.y >> quarter, all.min_y, all.max_y);
    const int range = wide_range_on_smallest_level(pels);
    return {std::max(x - range, all.min_x), std::min(x + range, all.max_x), std::max(y - range, all.min_y),
            std::min(y + range, all.max_y)};
}

LevelBlock WideSearch::on_level(const BlockSearch& search, int level, const Window& window) const {
    const LevelRate rate{search.predictor(), level, &rates_[static_cast<std::size_t>(level - half)]};
    return {input_, current_->level(level), reference_->level(level), level_rect(search.block(), level), window, rate};
}

/// Within the search's limits.
Window WideSearch::window_of(const BlockSearch& search, int level) const {
    const PlaneView picture = current_->level(level);
    return window_within(tandem::on_level(input_.limits, level), level_rect(search.block(), level), picture.width,
                         picture.height, input_.params->boundary);
}

} // namespace tandem
