// SPDX-License-Identifier: BSD-2-Clause
// A pass of the simplified unsymmetrical multi-hexagon search, a warp per block: me/search/smpuhex.cpp on the device.
// The blocks of a pass read the vectors of the pass before, so that all of them run at once.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

namespace {

/// Where the device reads patterns whose names the kernel knows.
__constant__ constexpr Pattern cross_there = patterns::small_diamond, hexagon_there = patterns::hexagon,
                               large_hexagon_there = patterns::large_hexagon;

__device__ int median(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

/// Vectors of the pass before.
class VectorsBefore {
  public:
    __device__ VectorsBefore(const SearchTask& task, const SmpUHexPass& pass)
        : found_(pass.before), first_row_(pass.before_first_row), columns_(task.columns) {}

    /// Zero outside of the picture to the left and right.
    __device__ Mv at(int column, int row) const {
        if (column < 0 || column >= columns_) return {};
        return found_[static_cast<std::size_t>(row - first_row_) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)]
            .mv;
    }

    __device__ Mv median_about(int column, int row) const {
        const Mv left = at(column - 1, row);
        if (row == 0) return left;
        const Mv above = at(column, row - 1);
        const Mv beside = at(column + 1 < columns_ ? column + 1 : column - 1, row - 1);
        return {static_cast<std::int16_t>(median(left.x, above.x, beside.x)),
                static_cast<std::int16_t>(median(left.y, above.y, beside.y))};
    }

  private:
    const Candidate* found_;
    int first_row_, columns_;
};

__device__ Position inside(Mv mv, const VectorArea& area) {
    return {min(max(mv.x / eighths_per_pel, area.min_x), area.max_x),
            min(max(mv.y / eighths_per_pel, area.min_y), area.max_y)};
}

/// The threshold is for 256 samples.
__device__ std::uint32_t scaled(std::uint32_t threshold, const BlockArea& block) {
    return static_cast<std::uint32_t>(std::uint64_t{threshold} * static_cast<unsigned>(block.width * block.height) /
                                      256);
}

/// The cross at odd distances, the hexagon, and the large hexagons, all about one centre: which of them comes first
/// makes no difference.
template <Metric metric> __device__ void search_widely(WarpWalk<metric>& steps, int range) {
    const Position centre = steps.centre();
    const int cross = 4 * (range / 2), small = cross + patterns::hexagon.count, all = small + 16 * (range / 4);
    for (int first = 0; first < all; first += WarpWalk<metric>::at_once) {
        const int number = first + steps.number();
        Position own{};
        if (number < cross) {
            const int distance = 1 + number / 4 * 2;
            own = moved(centre, cross_there, number % 4, distance, distance);
        } else if (number < small) {
            own = moved(centre, hexagon_there, number - cross, 1, 1);
        } else {
            const int size = 1 + (number - small) / 16;
            own = moved(centre, large_hexagon_there, (number - small) % 16, size, size);
        }
        steps.propose(own, number < all);
    }
}

template <Metric metric>
__device__ void search_block(const SmpUHexPass& pass, const BlockArea& area, WarpWalk<metric>& steps) {
    const std::uint32_t converged = scaled(pass.converged, area);
    const std::uint32_t wide = scaled(area.width * area.height < 256 ? pass.wide_small : pass.wide, area);
    const bool good_start = steps.cost() < converged;
    steps.attempt(cross_there, 1, 1);
    if (good_start) return;
    if (steps.cost() > wide) search_widely(steps, pass.range);
    const Position best = steps.centre();
    if (best.x != 0 || best.y != 0) steps.attempt(cross_there, 1, 1);
    if (steps.cost() < converged) {
        steps.attempt(cross_there, 1, 1);
        return;
    }
    for (int i = 0; i < pass.range && steps.attempt(hexagon_there, 1, 1); ++i) {
    }
    for (int i = 0; i < pass.range && steps.attempt(cross_there, 1, 1); ++i) {
    }
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    smpuhex(const SearchTask task, const SmpUHexPass pass, const CoarseCells coarse) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        WarpWalk<metric> steps(task, block, list);
        propose_coarse(coarse, block, steps);
        if (pass.before != nullptr) {
            const VectorsBefore before(task, pass);
            list.offer(block.measure(inside(before.median_about(block.column(), block.row()), block.vectors())));
            list.offer(block.measure(inside(before.at(block.column(), block.row()), block.vectors())));
        }
        search_block(pass, block.area(), steps);
    });
}

} // namespace

void launch_smpuhex(const SearchTask& task, const SmpUHexPass& pass, const CoarseCells& coarse, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        smpuhex<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, pass, coarse);
    });
    check_launch("a pass of smpuhex");
}

} // namespace tandem::cuda
