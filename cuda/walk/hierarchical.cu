// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search, a warp per block on all levels of the pyramid: me/search/levels/hierarchical.cpp on the
// device.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

namespace {

/// One block on one smaller level. Positions are in samples of the level.
template <Metric metric> class LevelBlock {
  public:
    __device__ LevelBlock(const SearchTask& task, const PyramidLevels& pyramid, const WarpBlock<metric>& block,
                          int level)
        : task_(task), level_(level), lane_(block.lane()), predictor_(block.predictor()),
          reference_(pyramid.level[level].reference), area_(area_of(block.area(), level)),
          vectors_(vectors_of(task, pyramid.level[level], area_, level)),
          current_(pyramid.level[level].current, area_.x, area_.y) {}

    /// All vectors of the window, each lane one at a time.
    __device__ void search_all(WarpList& list) const {
        const int width = vectors_.width(), count = width * (vectors_.max_y - vectors_.min_y + 1);
        for (int first = 0; first < count; first += 32) {
            const int number = first + lane_;
            const Position own{vectors_.min_x + number % width, vectors_.min_y + number / width};
            const bool exists = number < count;
            list.offer_each(exists, candidate(own, exists ? share(own, 0, 1) : 0));
        }
    }

    /// The vectors of `coarse`, moved into the window, and their neighbours.
    __device__ void search_about(const WarpList& coarse, WarpList& list) const {
        constexpr int places = 9, lanes = WarpWalk<metric>::lanes_each, at_once = WarpWalk<metric>::at_once;
        for (int first = 0; first < coarse.size() * places; first += at_once) {
            const int number = first + lane_ / lanes, part = lane_ % lanes;
            const Mv mv = coarse.at(min(number / places, coarse.size() - 1)).mv;
            // A vector of the level above divides without a remainder.
            const int shift = level_ + 3;
            const Position centre{min(max(mv.x >> shift, vectors_.min_x), vectors_.max_x),
                                  min(max(mv.y >> shift, vectors_.min_y), vectors_.max_y)};
            const Position own{centre.x + number % places % 3 - 1, centre.y + number % places / 3 - 1};
            const bool allowed = number < coarse.size() * places && vectors_.contains(own);
            const std::uint32_t distortion = sum_of_shares(allowed ? share(own, part, lanes) : 0, lanes);
            list.offer_each(allowed && part == 0, candidate(own, distortion));
        }
    }

  private:
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

/// The best vectors at full size of the levels above the lowest.
template <Metric metric>
__device__ WarpList search_levels(const SearchTask& task, const PyramidLevels& pyramid,
                                  const WarpBlock<metric>& block) {
    WarpList found(pyramid.candidates, block.lane());
    const int top = pyramid.count - 1;
    LevelBlock<metric>(task, pyramid, block, top).search_all(found);
    for (int level = top - 1; level > 0; --level) {
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

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 4)
    hierarchical(const SearchTask task, const PyramidLevels pyramid) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        const WarpList found = search_levels(task, pyramid, block);
        search_whole(found, block.vectors(), pyramid.count > 1, WarpWalk<metric>(task, block, list));
    });
}

/// 1 3 3 1 in both directions about (2x + 1/2, 2y + 1/2), edges replicated: a level of me/search/levels/pyramid.h.
__global__ void __launch_bounds__(256)
    halve(const std::uint8_t* from, int from_pitch, int from_width, int from_height, std::uint8_t* to, int to_pitch) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
    if (x >= (from_width + 1) / 2) return;
    int columns[4];
    for (int i = 0; i < 4; ++i)
        columns[i] = min(max(2 * x - 1 + i, 0), from_width - 1);
    int sum = 32;
    for (int i = 0; i < 4; ++i) {
        const std::uint8_t* row =
            from + static_cast<std::size_t>(min(max(2 * y - 1 + i, 0), from_height - 1)) * from_pitch;
        const int across =
            __ldg(row + columns[0]) + 3 * (__ldg(row + columns[1]) + __ldg(row + columns[2])) + __ldg(row + columns[3]);
        sum += i == 0 || i == 3 ? across : 3 * across;
    }
    to[static_cast<std::size_t>(y) * to_pitch + x] = static_cast<std::uint8_t>(sum >> 6);
}

} // namespace

void launch_halve(const std::uint8_t* from, int from_pitch, int from_width, int from_height, std::uint8_t* to,
                  int to_pitch, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(((from_width + 1) / 2 + 255) / 256),
                    static_cast<unsigned>((from_height + 1) / 2));
    halve<<<grid, 256, 0, stream>>>(from, from_pitch, from_width, from_height, to, to_pitch);
    check_launch("making a level of a pyramid");
}

void launch_hierarchical(const SearchTask& task, const PyramidLevels& pyramid, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        hierarchical<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, pyramid);
    });
    check_launch("a search of a pyramid");
}

} // namespace tandem::cuda
