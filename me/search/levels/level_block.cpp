// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/levels/level_block.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tandem {

namespace {

/// Which of the 9 vectors about a centre, row by row from bit 0 on, are also about the place (x, y) from it.
unsigned shared_neighbours(int x, int y) {
    static constexpr std::array<unsigned, 7> columns{0, 0b001, 0b011, 0b111, 0b110, 0b100, 0};
    static constexpr std::array<unsigned, 7> rows{0, 0b001, 0b001001, 0b001001001, 0b001001000, 0b001000000, 0};
    const auto index = [](int distance) { return static_cast<std::size_t>(std::clamp(distance, -3, 3) + 3); };
    return columns[index(x)] * rows[index(y)];
}

/// Which of the 9 vectors about a centre, which is in the window, are in it too.
unsigned neighbours_inside(const Offset& centre, const Window& window) {
    const auto bits = [](int at, int least, int most, unsigned step) {
        return (at > least ? 1U : 0U) | 1U << step | (at < most ? 1U : 0U) << (2 * step);
    };
    return bits(centre.x, window.min_x, window.max_x, 1) * bits(centre.y, window.min_y, window.max_y, 3);
}

} // namespace

void BestVectors::offer(std::uint32_t cost, const Offset& vector) {
    VectorKey key(cost, vector);
    for (std::size_t i = 0; i < capacity_; ++i) {
        const VectorKey least = std::min(kept_[i], key);
        key = std::max(kept_[i], key);
        kept_[i] = least;
    }
}

std::size_t BestVectors::size() const {
    return static_cast<std::size_t>(std::find(kept_.begin(), kept_.end(), VectorKey()) - kept_.begin());
}

Surroundings::Surroundings(int x, int y, std::ptrdiff_t stride) : reach_x(x), reach_y(y) {
    for (int down = -y; down <= y; ++down) {
        for (int right = -x; right <= x; ++right) {
            offsets[count] = {right, down};
            distances[count] = down * stride + right;
            count += right != 0 || down != 0;
        }
    }
}

std::span<const Offset> vectors_about(std::span<const Offset> centres, const Window& window, LevelScratch& scratch) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const Offset centre = centres[i];
        unsigned wanted = neighbours_inside(centre, window);
        for (const Offset& tried : centres.first(i))
            wanted &= ~shared_neighbours(tried.x - centre.x, tried.y - centre.y);
        for (int neighbour = 0; neighbour < 9; ++neighbour) { // Without a branch: none could be foretold.
            scratch.vectors[count] = {centre.x + neighbour % 3 - 1, centre.y + neighbour / 3 - 1};
            count += wanted >> neighbour & 1;
        }
    }
    return std::span(scratch.vectors).first(count);
}

std::span<const Offset> vectors_about_doubled(const BestVectors& found, const Window& window, LevelScratch& scratch) {
    std::array<Offset, most_level_candidates> centres;
    const std::size_t count = found.size();
    for (std::size_t i = 0; i < count; ++i)
        centres[i] = doubled(found[i], window);
    return vectors_about(std::span(centres).first(count), window, scratch);
}

BlockRect level_rect(const BlockRect& block, int level) {
    const int x = block.x >> level, y = block.y >> level;
    return {x, y, std::max(((block.x + block.width) >> level) - x, 1),
            std::max(((block.y + block.height) >> level) - y, 1)};
}

Window level_window(const BlockRect& rect, PlaneView picture, const SearchParams& params, int level) {
    const auto scaled = [level](int range) { return (range + (1 << level) - 1) >> level; };
    SearchParams of_level = params;
    of_level.range_x = scaled(params.range_x);
    of_level.range_y = scaled(params.range_y);
    return search_window(rect, picture.width, picture.height, of_level);
}

template <class Best> void LevelBlock::search_all(Best& best, LevelScratch& scratch) {
    const int middle = window_.min_y + (window_.max_y - window_.min_y) / 2;
    search_rows(middle, window_.max_y + 1, best, scratch);
    search_rows(window_.min_y, middle, best, scratch);
}

template <class Best>
void LevelBlock::search_these(std::span<const Offset> vectors, Best& best, LevelScratch& scratch) {
    for (std::size_t i = 0; i < vectors.size(); ++i)
        scratch.addresses[i] = reference_samples(vectors[i].x, vectors[i].y);
    measure(
        vectors.size(), [&](std::size_t i) { return vectors[i]; }, best, scratch);
}

template <class Best>
void LevelBlock::search_about(Offset centre, const Surroundings& others, Best& best, LevelScratch& scratch) {
    const std::span<const Offset> offsets = std::span(others.offsets).first(others.count);
    if (!window_.contains(centre.x - others.reach_x, centre.y - others.reach_y) ||
        !window_.contains(centre.x + others.reach_x, centre.y + others.reach_y))
        return search_pattern(centre, offsets, 1, 1, best, scratch);
    const std::uint8_t* samples = reference_samples(centre.x, centre.y);
    if (others.is_ring() && input_.params->metric == Metric::sad) {
        evaluated_ += static_cast<int>(offsets.size());
        unsigned good =
            input_.kernels->sads_about(current_samples(), current_.stride, samples, reference_.stride, rect_.width,
                                       rect_.height, most_distortion(best), scratch.distortions.data());
        for (; good != 0; good &= good - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(good));
            offer({centre.x + offsets[i].x, centre.y + offsets[i].y}, scratch.distortions[i], best);
        }
        return;
    }
    for (std::size_t i = 0; i < offsets.size(); ++i)
        scratch.addresses[i] = samples + others.distances[i];
    const auto vector_at = [&](std::size_t i) { return Offset{centre.x + offsets[i].x, centre.y + offsets[i].y}; };
    measure(offsets.size(), vector_at, best, scratch);
}

template <class Best>
void LevelBlock::search_pattern(Offset centre, std::span<const Offset> offsets, int scale_x, int scale_y, Best& best,
                                LevelScratch& scratch) {
    std::size_t count = 0;
    for (const Offset& offset : offsets) {
        const Offset vector{centre.x + scale_x * offset.x, centre.y + scale_y * offset.y};
        scratch.vectors[count] = vector;
        scratch.addresses[count] = reference_samples(vector.x, vector.y);
        count += window_.contains(vector.x, vector.y);
    }
    measure(
        count, [&](std::size_t i) { return scratch.vectors[i]; }, best, scratch);
}

template <class VectorAt, class Best>
void LevelBlock::measure(std::size_t count, const VectorAt& vector_at, Best& best, LevelScratch& scratch) {
    input_.kernels->many(input_.params->metric, current_samples(), current_.stride, scratch.addresses.data(),
                         reference_.stride, rect_.width, rect_.height, static_cast<int>(count),
                         scratch.distortions.data());
    evaluated_ += static_cast<int>(count);
    std::uint32_t most = most_distortion(best);
    for (std::size_t i = 0; i < count; ++i) {
        if (scratch.distortions[i] > most) continue;
        offer(vector_at(i), scratch.distortions[i], best);
        most = most_distortion(best);
    }
}

template <class Best> void LevelBlock::search_rows(int first, int end, Best& best, LevelScratch& scratch) {
    constexpr int most_rows = 16; // At once: the first few make the limit for more.
    const int columns = window_.max_x - window_.min_x + 1;
    scratch.good.resize(static_cast<std::size_t>(columns * most_rows));
    for (int y = first, rows = 0; y < end; y += rows) {
        rows = std::min({2 * rows + 1, most_rows, end - y});
        std::int32_t limits[most_rows];
        std::fill_n(limits, rows, static_cast<std::int32_t>(std::min<std::uint32_t>(best.threshold(), INT32_MAX)));
        const int good = input_.kernels->within(input_.params->metric)(
            current_samples(), current_.stride, reference_samples(window_.min_x, y), reference_.stride, rect_.width,
            rect_.height, columns, rows, limits, scratch.good.data());
        evaluated_ += columns * rows;
        for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
            const auto [position, distortion] = scratch.good[i];
            const Offset vector{window_.min_x + position.column, y + position.row};
            const std::uint32_t cost = cost_of(distortion, rate(vector));
            if (cost <= best.threshold()) best.offer(cost, vector);
        }
    }
}

template void LevelBlock::search_all(BestVector&, LevelScratch&);
template void LevelBlock::search_all(BestVectors&, LevelScratch&);
template void LevelBlock::search_these(std::span<const Offset>, BestVector&, LevelScratch&);
template void LevelBlock::search_these(std::span<const Offset>, BestVectors&, LevelScratch&);
template void LevelBlock::search_about(Offset, const Surroundings&, BestVector&, LevelScratch&);
template void LevelBlock::search_pattern(Offset, std::span<const Offset>, int, int, BestVector&, LevelScratch&);

} // namespace tandem
