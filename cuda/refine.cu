// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel refinement, a warp per block: me/subpel.cpp on the device. Positions between samples are blended where they
// are measured, which for a few positions costs less than whole planes of them.
#include "cuda/check.h"
#include "cuda/kernels.h"
#include "cuda/warp_block.cuh"

namespace tandem::cuda {

namespace {

/// The positions that refinement may look at, in eighths.
struct Positions {
    int min_x, max_x, min_y, max_y;
    int grid;                   ///< Eighths from one to the next.
    int farthest_x, farthest_y; ///< The search's range.

    __device__ Positions(const SearchTask& task, const BlockArea& block, int precision, int border)
        : min_x(eighths_per_pel * (-border - block.x)),
          max_x(eighths_per_pel * (task.picture_width + border - block.x - block.width)),
          min_y(eighths_per_pel * (-border - block.y)),
          max_y(eighths_per_pel * (task.picture_height + border - block.y - block.height)),
          grid(eighths_per_pel / precision), farthest_x(eighths_per_pel * task.range_x),
          farthest_y(eighths_per_pel * task.range_y) {}
    __device__ bool contain(int x, int y) const { return x >= min_x && x <= max_x && y >= min_y && y <= max_y; }
    __device__ bool allow(Mv mv) const { return contain(mv.x, mv.y) && mv.x % grid == 0 && mv.y % grid == 0; }
    __device__ bool in_range(Mv mv) const { return abs(mv.x) <= farthest_x && abs(mv.y) <= farthest_y; }
};

/// A neighbour of the 8 about a position.
__device__ Position neighbour(Mv centre, int number, int step) {
    const int place = number < 4 ? number : number + 1;
    return {centre.x + step * (place % 3 - 1), centre.y + step * (place / 3 - 1)};
}

template <Metric metric> __device__ Candidate measure(const WarpBlock<metric>& block, Mv mv) {
    return block.candidate(mv, sum_of_shares(block.blended_share(mv, block.lane(), 32), 32));
}

/// The best of the warp's candidates by better(), in all lanes; lanes without one have cost UINT32_MAX.
__device__ Candidate best_of_lanes(Candidate own) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const Candidate other = from_lane(own, static_cast<int>(threadIdx.x % 32) ^ distance);
        if (better(other, own)) own = other;
    }
    return own;
}

/// The best position reached from `start`, which must be allowed; `step` is the first.
template <Metric metric>
__device__ Candidate refined(const WarpBlock<metric>& block, const Positions& positions, Mv start, int step) {
    Candidate best = measure(block, start);
    for (; step >= positions.grid; step /= 2) {
        const Position own = neighbour(best.mv, block.lane() / 4, step);
        const bool allowed = positions.contain(own.x, own.y);
        const Mv mv{static_cast<std::int16_t>(own.x), static_cast<std::int16_t>(own.y)};
        const std::uint32_t distortion = sum_of_shares(allowed ? block.blended_share(mv, block.lane() % 4, 4) : 0, 4);
        const Candidate tried = best_of_lanes(allowed ? block.candidate(mv, distortion) : Candidate{});
        if (better(tried, best)) best = tried;
    }
    return best;
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5) refine(const SearchTask task, int precision, int border) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    const Positions positions(task, block.area(), precision, border);
    WarpList list(task.candidates, block.lane());
    const Candidate zero = measure(block, {});
    if (block.settled(zero)) {
        list.offer(zero);
        list.store(block.slots());
        return;
    }
    const Mv predictor = block.predictor();
    const bool is_other = !(predictor == Mv{}) && positions.in_range(predictor) && positions.allow(predictor);
    const Candidate predicted = is_other ? measure(block, predictor) : zero;
    Candidate own;
    if (block.lane() < task.candidates) own = block.slots()[block.lane()];
    for (int slot = 0; slot < task.candidates; ++slot) {
        const Candidate candidate = from_lane(own, slot);
        if (candidate.distortion == UINT32_MAX || !positions.allow(candidate.mv)) continue;
        list.offer(refined(block, positions, candidate.mv, task.step() / 2));
    }
    if (list.empty()) list.offer(zero);
    block.store(zero, is_other, predicted, list);
}

} // namespace

void launch_refine(const SearchTask& task, int precision, int border, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    switch (task.metric) {
    case Metric::sad:
        refine<Metric::sad><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    case Metric::ssd:
        refine<Metric::ssd><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    case Metric::satd:
        refine<Metric::satd><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    }
    check_launch("sub-pel refinement");
}

} // namespace tandem::cuda
