// SPDX-License-Identifier: BSD-2-Clause
// One block on the levels of a pyramid and the warp that works on it: me/search/levels/level_block.h on the device.
#pragma once

#include "cuda/full/block_sweep.cuh"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

/// One block on one smaller level. Positions are in samples of the level.
template <Metric metric> class LevelBlock {
  public:
    __device__ LevelBlock(const SearchTask& task, const PyramidLevels& pyramid, const WarpBlock<metric>& block,
                          int level)
        : task_(task), level_(level), lane_(block.lane()), predictor_(block.predictor()),
          reference_(pyramid.level[level].reference), area_(area_of(block.area(), level)),
          vectors_(vectors_of(task, pyramid.level[level], area_, level)),
          current_(pyramid.level[level].current, area_.x, area_.y) {}

    /// Those that the search may use.
    __device__ const VectorArea& vectors() const { return vectors_; }

    /// All vectors of some of those, from the row in the middle on and after the last row the first ones: what is good
    /// there is hard to beat. The list is empty.
    __device__ void search_window(const VectorArea& window, WarpList& list) const {
        if (sums_words(metric) && area_.width == swept_side && area_.height == swept_side) {
            sweep(window, list);
            return;
        }
        const int width = window.width(), rows = window.max_y - window.min_y + 1, count = width * rows;
        for (int first = 0; first < count; first += at_once) {
            const int number = first + lane_ / lanes, y = window.min_y + rows / 2 + number / width;
            offer({window.min_x + number % width, y > window.max_y ? y - rows : y}, number < count, list);
        }
    }

    /// The vectors of `coarse`, moved into the window, and their neighbours.
    __device__ void search_about(const WarpList& coarse, WarpList& list) const {
        constexpr int places = 9;
        for (int first = 0; first < coarse.size() * places; first += at_once) {
            const int number = first + lane_ / lanes;
            const Mv mv = coarse.at(min(number / places, coarse.size() - 1)).mv;
            // A vector of the level above divides without a remainder.
            const int shift = level_ + 3;
            const Position centre{min(max(mv.x >> shift, vectors_.min_x), vectors_.max_x),
                                  min(max(mv.y >> shift, vectors_.min_y), vectors_.max_y)};
            const Position own{centre.x + number % places % 3 - 1, centre.y + number % places / 3 - 1};
            offer(own, number < coarse.size() * places && vectors_.contains(own), list);
        }
    }

  private:
    static constexpr int lanes = WarpWalk<metric>::lanes_each, at_once = WarpWalk<metric>::at_once;
    /// Of a block of 16x16 pels at quarter size: a word a row.
    static constexpr int swept_side = 4;

    /// Each lane a column of vectors: a row of the reference meets all rows of the block, and sums[i] is that of the
    /// block's rows 0..i for the vector that puts row i there.
    __device__ void sweep(const VectorArea& window, WarpList& list) const {
        std::uint32_t own[swept_side];
        for (int i = 0; i < swept_side; ++i)
            own[i] = current_(0, i);
        const int rows = window.max_y - window.min_y + 1;
        for (int left = window.min_x; left <= window.max_x; left += 32) {
            const int x = left + lane_;
            std::uint32_t sums[swept_side] = {};
            // The first row of vectors of this run; before each the block's rows but one come in.
            int first = window.min_y + rows / 2, y = first - (swept_side - 1);
            const std::uint32_t* next = column_of(min(x, window.max_x), first);
            for (int left_over = rows + 2 * (swept_side - 1); left_over > 0; --left_over) {
                if (y > window.max_y) {
                    first = window.min_y;
                    y = first - (swept_side - 1);
                    next = column_of(min(x, window.max_x), first);
                }
                const std::uint32_t samples = __ldg(next);
                next += reference_.stride;
#pragma unroll
                for (int i = swept_side - 1; i >= 0; --i)
                    sums[i] = add_differences<metric>(own[i], samples, i > 0 ? sums[i - 1] : 0);
                list.offer_promising(y >= first && x <= window.max_x, sums[swept_side - 1], [&] {
                    return candidate({x, y}, sums[swept_side - 1]);
                });
                ++y;
            }
        }
    }
    __device__ const std::uint32_t* column_of(int x, int y) const {
        return WholeSamples(reference_, area_.x + x, area_.y + y).origin;
    }

    /// By lanes_each lanes together, which have the same position.
    __device__ void offer(Position own, bool exists, WarpList& list) const {
        const int part = lane_ % lanes;
        const std::uint32_t distortion = sum_of_shares(exists ? share(own, part, lanes) : 0, lanes);
        list.offer_each(exists && part == 0, candidate(own, distortion));
    }

    /// The samples whose centre lies in the block; at least one.
    static __device__ BlockArea area_of(const BlockArea& block, int level) {
        const int x = block.x >> level, y = block.y >> level;
        return {x, y, max(((block.x + block.width) >> level) - x, 1), max(((block.y + block.height) >> level) - y, 1)};
    }

    static __device__ VectorArea vectors_of(const SearchTask& task, const PyramidLevel& level, const BlockArea& area,
                                            int number) {
        SearchTask scaled = task;
        scaled.range_x = (task.range_x + (1 << number) - 1) >> number;
        scaled.range_y = (task.range_y + (1 << number) - 1) >> number;
        scaled.picture_width = level.width;
        scaled.picture_height = level.height;
        return vector_area(scaled, area);
    }

    __device__ std::uint32_t share(Position position, int part, int parts) const {
        const WholeSamples reference(reference_, area_.x + position.x, area_.y + position.y);
        return share_of_distortion<metric>(current_, reference, area_.width, area_.height, part, parts);
    }

    /// At full size. A level has fewer samples, so that its share of the rate is smaller.
    __device__ Candidate candidate(Position position, std::uint32_t distortion) const {
        const Mv mv{static_cast<std::int16_t>(position.x << (level_ + 3)),
                    static_cast<std::int16_t>(position.y << (level_ + 3))};
        return {mv, distortion, cost_of(distortion, rate_of_mv(task_, mv, predictor_) >> (2 * level_))};
    }

    const SearchTask& task_;
    int level_, lane_;
    Mv predictor_;
    const WordPlane& reference_;
    BlockArea area_;
    VectorArea vectors_;
    WholeSamples current_;
};

/// From what was found on a smaller level, the best vectors of the level above full size.
template <Metric metric>
__device__ WarpList search_larger_levels(const SearchTask& task, const PyramidLevels& pyramid,
                                         const WarpBlock<metric>& block, int smaller, WarpList found) {
    for (int level = smaller - 1; level > 0; --level) {
        WarpList finer(pyramid.candidates, block.lane());
        LevelBlock<metric>(task, pyramid, block, level).search_about(found, finer);
        found = finer;
    }
    return found;
}

/// Each of the vectors found, moved into the window, and where there are levels its neighbours.
template <Metric metric>
__device__ void search_whole(const WarpList& found, const VectorArea& vectors, bool neighbours,
                             WarpWalk<metric> steps) {
    const int places = neighbours ? 9 : 1;
    for (int first = 0; first < found.size() * places; first += WarpWalk<metric>::at_once) {
        const int number = first + steps.number();
        const Mv mv = found.at(min(number / places, found.size() - 1)).mv;
        const int place = neighbours ? number % places : 4;
        const Position own{min(max(mv.x / eighths_per_pel, vectors.min_x), vectors.max_x) + place % 3 - 1,
                           min(max(mv.y / eighths_per_pel, vectors.min_y), vectors.max_y) + place / 3 - 1};
        steps.propose(own, number < found.size() * places);
    }
}

} // namespace tandem::cuda
