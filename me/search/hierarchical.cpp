// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search (Mazare, 2014): every vector on the smallest level of a pyramid, then on each larger one the
// best few, doubled, with their 8 neighbours.
#include <algorithm>
#include <vector>

#include "me/search/pattern.h"
#include "me/search/pyramid.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

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

    /// All vectors of the window.
    void search_all(CandidateList& list, std::vector<std::uint32_t>& distortions) {
        const int count = window_.max_x - window_.min_x + 1;
        distortions.resize(static_cast<std::size_t>(count));
        for (int y = window_.min_y; y <= window_.max_y; ++y) {
            measure_row(y, count, distortions.data());
            search_.count(count);
            for (int i = 0; i < count; ++i)
                offer(window_.min_x + i, y, distortions[static_cast<std::size_t>(i)], list);
        }
    }

    /// The vector (x, y), moved into the window, and its neighbours.
    void search_about(int x, int y, CandidateList& list) {
        x = std::clamp(x, window_.min_x, window_.max_x);
        y = std::clamp(y, window_.min_y, window_.max_y);
        propose(x, y, list);
        for (const Offset& offset : square)
            propose(x + offset.x, y + offset.y, list);
    }

  private:
    const std::uint8_t* current_samples() const { return current_.row(rect_.y) + rect_.x; }
    const std::uint8_t* reference_samples(int x, int y) const {
        return reference_.data + (rect_.y + y) * reference_.stride + rect_.x + x;
    }

    void measure_row(int y, int count, std::uint32_t* distortions) const {
        if (input_.params->metric == Metric::sad) {
            input_.kernels->sad_row(current_samples(), current_.stride, reference_samples(window_.min_x, y),
                                    reference_.stride, rect_.width, rect_.height, count, distortions);
            return;
        }
        for (int i = 0; i < count; ++i)
            distortions[i] = measure(window_.min_x + i, y);
    }

    std::uint32_t measure(int x, int y) const {
        return input_.kernels->of(input_.params->metric)(current_samples(), current_.stride, reference_samples(x, y),
                                                         reference_.stride, rect_.width, rect_.height);
    }

    void propose(int x, int y, CandidateList& list) {
        if (!window_.contains(x, y)) return;
        offer(x, y, measure(x, y), list);
        search_.count(1);
    }

    /// The list holds vectors at full size. A level has fewer samples, so that its share of the rate is smaller.
    void offer(int x, int y, std::uint32_t distortion, CandidateList& list) const {
        if (distortion > list.threshold()) return;
        const SearchParams& params = *input_.params;
        const Mv mv = mv_from_pels(x << level_, y << level_);
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
        std::vector<std::uint32_t> distortions;
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search, distortions);
                search.store(field);
            }
        }
    }

  private:
    void search_block(BlockSearch& search, std::vector<std::uint32_t>& distortions) const {
        const int top = input_.params->levels - 1;
        CandidateList found(input_.params->level_candidates);
        on_level(search, top).search_all(found, distortions);
        for (int level = top - 1; level > 0; --level) {
            LevelBlock block = on_level(search, level);
            CandidateList finer(input_.params->level_candidates);
            for (int i = 0; i < found.size(); ++i) {
                block.search_about(found[i].mv.x / (eighths_per_pel << level),
                                   found[i].mv.y / (eighths_per_pel << level), finer);
            }
            found = finer;
        }
        for (int i = 0; i < found.size(); ++i) {
            const Window& w = search.window();
            const int x = std::clamp(found[i].mv.x / eighths_per_pel, w.min_x, w.max_x);
            const int y = std::clamp(found[i].mv.y / eighths_per_pel, w.min_y, w.max_y);
            search.propose(x, y);
            if (top > 0) try_about(search, x, y, square, 1, 1);
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
