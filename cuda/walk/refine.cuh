// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel refinement, a warp per block: me/samples/subpel.cpp on the device. Positions between samples are blended
// where they are measured, which for a few positions costs less than whole planes of them.
#pragma once

#include "cuda/walk/warp_block.cuh"

namespace tandem::cuda {

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
__device__ inline Position neighbour(Mv centre, int number, int step) {
    const int place = number < 4 ? number : number + 1;
    return {centre.x + step * (place % 3 - 1), centre.y + step * (place / 3 - 1)};
}

/// A lane's share of the distortion at a vector; Samples gives the reference's words there.
template <class Samples, Metric metric>
__device__ std::uint32_t share_at(const WarpBlock<metric>& block, const typename Samples::Source& source, Mv mv,
                                  int part, int parts) {
    return block.share_of(Samples(source, block.area().x, block.area().y, mv), part, parts);
}

template <class Samples, Metric metric>
__device__ Candidate measure(const WarpBlock<metric>& block, const typename Samples::Source& source, Mv mv) {
    return block.candidate(mv, sum_of_shares(share_at<Samples>(block, source, mv, block.lane(), 32), 32));
}

/// The best position reached from `start`, which must be allowed; `step` is the first.
template <class Samples, Metric metric>
__device__ Candidate refined(const WarpBlock<metric>& block, const typename Samples::Source& source,
                             const Positions& positions, Mv start, int step) {
    Candidate best = measure<Samples>(block, source, start);
    for (; step >= positions.grid; step /= 2) {
        const Position own = neighbour(best.mv, block.lane() / 4, step);
        const bool allowed = positions.contain(own.x, own.y);
        const Mv mv{static_cast<std::int16_t>(own.x), static_cast<std::int16_t>(own.y)};
        const std::uint32_t distortion =
            sum_of_shares(allowed ? share_at<Samples>(block, source, mv, block.lane() % 4, 4) : 0, 4);
        const Candidate tried = best_of_lanes(allowed, block.candidate(mv, distortion));
        if (better(tried, best)) best = tried;
    }
    return best;
}

/// The warp's block; Samples has a Source and is made of one, a block's corner and a vector. `List`: WarpList, or
/// WarpBest where the task has one candidate.
template <class Samples, Metric metric, class List = WarpList>
__device__ void refine_block(const SearchTask& task, const typename Samples::Source& source, int precision,
                             int border) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    const Positions positions(task, block.area(), precision, border);
    List list(task.candidates, block.lane());
    const Candidate zero = measure<Samples>(block, source, {});
    if (block.settled(zero)) {
        list.offer(zero);
        list.store(block.slots());
        return;
    }
    const Mv predictor = block.predictor();
    const bool is_other = !(predictor == Mv{}) && positions.in_range(predictor) && positions.allow(predictor);
    const Candidate predicted = is_other ? measure<Samples>(block, source, predictor) : zero;
    Candidate own;
    if (block.lane() < task.candidates) own = block.slots()[block.lane()];
    for (int slot = 0; slot < task.candidates; ++slot) {
        const Candidate candidate = from_lane(own, slot);
        if (!has_vector(candidate) || !positions.allow(candidate.mv)) continue;
        list.offer(refined<Samples>(block, source, positions, candidate.mv, task.step() / 2));
    }
    if (list.empty()) list.offer(zero);
    block.store(zero, is_other, predicted, list);
}

} // namespace tandem::cuda
