// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search (Mazare, 2014): every vector on the smallest level of a pyramid, then on each larger one the
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
    std::array<const std::uint8_t*, 9 * most_candidates> addresses;
    std::array<std::uint32_t, 9 * most_candidates> distortions;
    std::array<Offset, 9 * most_candidates + 1> vectors;
};

/// The vectors kept, in samples of a level and moved into its window, and their neighbours, each once. In the scratch.
std::span<const Offset> vectors_about(const CandidateList& kept, int level, const Window& window, Scratch& scratch) {
    const auto samples = [level](int eighths) { return eighths >> (3 + level); };
    static_assert(eighths_per_pel == 1 << 3);
    std::array<Offset, most_candidates> centres;
    std::size_t count = 0;
    for (int i = 0; i < kept.size(); ++i) {
        const Offset centre{std::clamp(samples(kept[i].mv.x), window.min_x, window.max_x),
                            std::clamp(samples(kept[i].mv.y), window.min_y, window.max_y)};
        centres[static_cast<std::size_t>(i)] = centre;
        for (int y = centre.y - 1; y <= centre.y + 1; ++y) {
            for (int x = centre.x - 1; x <= centre.x + 1; ++x) {
                bool wanted = window.contains(x, y);
                for (const Offset& tried : std::span(centres).first(static_cast<std::size_t>(i)))
                    wanted &= std::max(std::abs(x - tried.x), std::abs(y - tried.y)) > 1;
                scratch.vectors[count] = {x, y}; // Without a branch: none could be foretold.
                count += wanted;
            }
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
    void search_all(CandidateList& list, Scratch& scratch) {
        constexpr int few = 3;
        const int middle = std::max((window_.min_y + window_.max_y - few) / 2, window_.min_y);
        const int end = std::min(middle + few, window_.max_y + 1);
        search_rows(middle, end, list, scratch);
        search_rows(window_.min_y, middle, list, scratch);
        search_rows(end, window_.max_y + 1, list, scratch);
    }

    void search_these(std::span<const Offset> vectors, CandidateList& list, Scratch& scratch) {
        for (std::size_t i = 0; i < vectors.size(); ++i)
            scratch.addresses[i] = reference_samples(vectors[i].x, vectors[i].y);
        input_.kernels->many(input_.params->metric, current_samples(), current_.stride, scratch.addresses.data(),
                             reference_.stride, rect_.width, rect_.height, static_cast<int>(vectors.size()),
                             scratch.distortions.data());
        search_.count(static_cast<int>(vectors.size()));
        for (std::size_t i = 0; i < vectors.size(); ++i)
            offer(vectors[i], scratch.distortions[i], list);
    }

  private:
    const std::uint8_t* current_samples() const { return current_.row(rect_.y) + rect_.x; }
    const std::uint8_t* reference_samples(int x, int y) const {
        return reference_.data + (rect_.y + y) * reference_.stride + rect_.x + x;
    }

    void search_rows(int first, int end, CandidateList& list, Scratch& scratch) {
        constexpr int most_rows = 16;
        const int columns = window_.max_x - window_.min_x + 1;
        scratch.good.resize(static_cast<std::size_t>(columns * most_rows));
        for (int y = first; y < end; y += most_rows) {
            const int rows = std::min(most_rows, end - y);
            std::int32_t limits[most_rows];
            std::fill_n(limits, rows, static_cast<std::int32_t>(std::min<std::uint32_t>(list.threshold(), INT32_MAX)));
            const int good = input_.kernels->within(input_.params->metric, current_samples(), current_.stride,
                                                    reference_samples(window_.min_x, y), reference_.stride, rect_.width,
                                                    rect_.height, columns, rows, limits, scratch.good.data());
            search_.count(columns * rows);
            for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
                const auto [position, distortion] = scratch.good[i];
                offer({window_.min_x + position.column, y + position.row}, distortion, list);
            }
        }
    }

    /// The list holds vectors at full size. A level has fewer samples, so that its share of the rate is smaller.
    void offer(const Offset& vector, std::uint32_t distortion, CandidateList& list) const {
        if (distortion > list.threshold()) return;
        const SearchParams& params = *input_.params;
        const Mv mv = mv_from_pels(vector.x << level_, vector.y << level_);
        const std::uint32_t rate = rate_of(vector_bits(mv, search_.predictor(), params.rate_unit), params.lambda_q8);
        list.offer({mv, distortion, cost_of(distortion, rate >> (2 * level_))});
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
        CandidateList found(input_.params->level_candidates);
        on_level(search, top).search_all(found, scratch);
        for (int level = top - 1; level > 0; --level) {
            LevelBlock block = on_level(search, level);
            CandidateList finer(input_.params->level_candidates);
            block.search_these(vectors_about(found, level, block.window(), scratch), finer, scratch);
            found = finer;
        }
        if (top == 0) {
            for (int i = 0; i < found.size(); ++i)
                search.propose(found[i].mv);
        } else {
            search.propose_all(0, 0, vectors_about(found, 0, search.window(), scratch), 1, 1);
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
