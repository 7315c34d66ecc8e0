// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search (Mazaré, 2006): every vector on the smallest level of a pyramid, then on each larger one the
// best few, doubled, with their 8 neighbours.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "me/search/pattern.h"
#include "me/search/pyramid.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

/// What the blocks of one thread use one after another.
struct Scratch {
    std::vector<MeasuredPosition> good;
    std::array<const std::uint8_t*, 9 * most_level_candidates> addresses;
    std::array<std::uint32_t, 9 * most_level_candidates> distortions;
    std::array<Offset, 9 * most_level_candidates + 1> vectors;
};

/// The best few vectors of a level, in samples of it, by the order of better(). Cost, length, y and the sign of x stand
/// in one number: so they are kept without a branch, of which none could be foretold.
class BestVectors {
  public:
    explicit BestVectors(int capacity) : capacity_(static_cast<std::size_t>(capacity)) { kept_.fill(UINT64_MAX); }

    /// Each vector once.
    void offer(std::uint32_t cost, const Offset& vector) {
        const int length = std::abs(vector.x) + std::abs(vector.y);
        std::uint64_t key = std::uint64_t{cost} << 32 | static_cast<std::uint64_t>(length) << 14 |
                            static_cast<std::uint64_t>(vector.y + middle) << 1 | (vector.x > 0 ? 1 : 0);
        for (std::size_t i = 0; i < capacity_; ++i) {
            const std::uint64_t least = std::min(kept_[i], key);
            key = std::max(kept_[i], key);
            kept_[i] = least;
        }
    }
    /// A vector whose cost is above this cannot enter.
    std::uint32_t threshold() const { return static_cast<std::uint32_t>(kept_[capacity_ - 1] >> 32); }
    std::size_t size() const {
        return static_cast<std::size_t>(std::find(kept_.begin(), kept_.end(), UINT64_MAX) - kept_.begin());
    }
    Offset operator[](std::size_t index) const {
        const auto key = static_cast<std::uint32_t>(kept_[index]);
        const int length = static_cast<int>(key >> 14), y = static_cast<int>(key >> 1 & (2 * middle - 1)) - middle;
        const int x = length - std::abs(y);
        return {(key & 1) != 0 ? x : -x, y};
    }

  private:
    static constexpr int middle = 4096;
    static_assert(largest_range < middle);
    std::size_t capacity_;
    std::array<std::uint64_t, most_level_candidates + 1> kept_; ///< The last one stays empty.
};

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

/// The vectors kept on the level above, doubled and moved into the window, and their neighbours, each once. In the
/// scratch.
std::span<const Offset> vectors_about(const BestVectors& kept, const Window& window, Scratch& scratch) {
    std::array<Offset, most_level_candidates> centres;
    std::size_t count = 0;
    for (std::size_t i = 0, end = kept.size(); i < end; ++i) {
        const Offset coarse = kept[i];
        const Offset centre{std::clamp(2 * coarse.x, window.min_x, window.max_x),
                            std::clamp(2 * coarse.y, window.min_y, window.max_y)};
        centres[i] = centre;
        unsigned wanted = neighbours_inside(centre, window);
        for (const Offset& tried : std::span(centres).first(i))
            wanted &= ~shared_neighbours(tried.x - centre.x, tried.y - centre.y);
        for (int neighbour = 0; neighbour < 9; ++neighbour) { // Without a branch: none could be foretold.
            scratch.vectors[count] = {centre.x + neighbour % 3 - 1, centre.y + neighbour / 3 - 1};
            count += wanted >> neighbour & 1;
        }
    }
    return std::span(scratch.vectors).first(count);
}

/// One block on one level of the pyramids. Vectors are in samples of the level.
class LevelBlock {
  public:
    LevelBlock(const SearchInput& input, PlaneView current, PlaneView reference, BlockSearch& search, int level)
        : input_(input), current_(current), reference_(reference), search_(search), level_(level) {
        const BlockRect& block = search.block();
        // The samples whose centre lies in the block; at least one.
        rect_.x = block.x >> level;
        rect_.y = block.y >> level;
        rect_.width = std::max(((block.x + block.width) >> level) - rect_.x, 1);
        rect_.height = std::max(((block.y + block.height) >> level) - rect_.y, 1);
        const auto scaled = [level](int range) { return (range + (1 << level) - 1) >> level; };
        SearchParams params = *input.params;
        params.range_x = scaled(params.range_x);
        params.range_y = scaled(params.range_y);
        window_ = search_window(rect_, current.width, current.height, params);
    }

    const Window& window() const { return window_; }

    /// All vectors of the window, first the rows in its middle: what is good there is hard to beat.
    void search_all(BestVectors& best, Scratch& scratch) {
        constexpr int few = 3;
        const int middle = std::max((window_.min_y + window_.max_y - few) / 2, window_.min_y);
        const int end = std::min(middle + few, window_.max_y + 1);
        search_rows(middle, end, best, scratch);
        search_rows(window_.min_y, middle, best, scratch);
        search_rows(end, window_.max_y + 1, best, scratch);
    }

    void search_these(std::span<const Offset> vectors, BestVectors& best, Scratch& scratch) {
        for (std::size_t i = 0; i < vectors.size(); ++i)
            scratch.addresses[i] = reference_samples(vectors[i].x, vectors[i].y);
        input_.kernels->many(input_.params->metric, current_samples(), current_.stride, scratch.addresses.data(),
                             reference_.stride, rect_.width, rect_.height, static_cast<int>(vectors.size()),
                             scratch.distortions.data());
        search_.count(static_cast<int>(vectors.size()));
        for (std::size_t i = 0; i < vectors.size(); ++i)
            offer(vectors[i], scratch.distortions[i], best);
    }

  private:
    const std::uint8_t* current_samples() const { return current_.row(rect_.y) + rect_.x; }
    const std::uint8_t* reference_samples(int x, int y) const {
        return reference_.data + (rect_.y + y) * reference_.stride + rect_.x + x;
    }

    void search_rows(int first, int end, BestVectors& best, Scratch& scratch) {
        constexpr int most_rows = 16;
        const int columns = window_.max_x - window_.min_x + 1;
        scratch.good.resize(static_cast<std::size_t>(columns * most_rows));
        for (int y = first; y < end; y += most_rows) {
            const int rows = std::min(most_rows, end - y);
            std::int32_t limits[most_rows];
            std::fill_n(limits, rows, static_cast<std::int32_t>(std::min<std::uint32_t>(best.threshold(), INT32_MAX)));
            const int good = input_.kernels->within(input_.params->metric)(
                current_samples(), current_.stride, reference_samples(window_.min_x, y), reference_.stride, rect_.width,
                rect_.height, columns, rows, limits, scratch.good.data());
            search_.count(columns * rows);
            for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
                const auto [position, distortion] = scratch.good[i];
                offer({window_.min_x + position.column, y + position.row}, distortion, best);
            }
        }
    }

    /// A level has fewer samples, so that its share of the rate is smaller.
    void offer(const Offset& vector, std::uint32_t distortion, BestVectors& best) const {
        const SearchParams& params = *input_.params;
        std::uint32_t rate = 0;
        if (params.lambda_q8 > 0) {
            const Mv mv = mv_from_pels(vector.x << level_, vector.y << level_);
            rate = rate_of(vector_bits(mv, search_.predictor(), params.rate_unit), params.lambda_q8);
        }
        best.offer(cost_of(distortion, rate >> (2 * level_)), vector);
    }

    const SearchInput& input_;
    PlaneView current_, reference_;
    BlockSearch& search_; ///< Of the whole block; counts what is measured on the level.
    int level_;
    BlockRect rect_;
    Window window_;
};

class HierarchicalSearch final : public Search {
  public:
    explicit HierarchicalSearch(const SearchInput& input)
        : input_(input), current_(input.current, input.params->levels, 0, *input.workers),
          reference_(input.reference, input.params->levels, input.border, *input.workers) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        Scratch scratch;
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search, scratch);
                search.store(field);
            }
        }
    }

  private:
    void search_block(BlockSearch& search, Scratch& scratch) const {
        const int top = input_.params->levels - 1;
        BestVectors found(input_.params->level_candidates);
        on_level(search, top).search_all(found, scratch);
        for (int level = top - 1; level > 0; --level) {
            LevelBlock block = on_level(search, level);
            BestVectors finer(input_.params->level_candidates);
            block.search_these(vectors_about(found, block.window(), scratch), finer, scratch);
            found = finer;
        }
        if (top == 0) {
            for (std::size_t i = 0; i < found.size(); ++i)
                search.propose(found[i].x, found[i].y);
        } else {
            search.propose_all(0, 0, vectors_about(found, search.window(), scratch), 1, 1);
        }
    }

    LevelBlock on_level(BlockSearch& search, int level) const {
        return {input_, current_.level(level), reference_.level(level), search, level};
    }

    SearchInput input_;
    Pyramid current_, reference_;
};

} // namespace

std::unique_ptr<Search> make_hierarchical_search(const SearchInput& input, int, int) {
    return std::make_unique<HierarchicalSearch>(input);
}

} // namespace tandem
