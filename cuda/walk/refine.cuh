// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel refinement, a warp per block, or a thread where it is small: me/samples/subpel.cpp on the device. Positions
// between samples are blended where they are measured, which for a few positions costs less than whole planes of them.
#pragma once

#include "cuda/walk/best_candidate.cuh"
#include "cuda/walk/lane_block.cuh"
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

/// A warp's: Samples gives the reference's words at a vector, and has a Source and is made of one, a block's corner and
/// the vector.
template <class Samples, Metric metric> class WarpRefinement {
  public:
    __device__ WarpRefinement(const WarpBlock<metric>& block, const typename Samples::Source& source,
                              const Positions& positions)
        : block_(block), source_(source), positions_(positions) {}

    __device__ Candidate measure(Mv mv) const {
        return block_.candidate(mv, sum_of_shares(share(mv, block_.lane(), 32), 32));
    }
    /// The best of the 8 about a position.
    __device__ Candidate best_about(Mv centre, int step) const {
        const Position own = neighbour(centre, block_.lane() / 4, step);
        const bool allowed = positions_.contain(own.x, own.y);
        const Mv mv{static_cast<std::int16_t>(own.x), static_cast<std::int16_t>(own.y)};
        const std::uint32_t distortion = sum_of_shares(allowed ? share(mv, block_.lane() % 4, 4) : 0, 4);
        return best_of_lanes(allowed, block_.candidate(mv, distortion));
    }

  private:
    __device__ std::uint32_t share(Mv mv, int part, int parts) const {
        return block_.share_of(Samples(source_, block_.area().x, block_.area().y, mv), part, parts);
    }

    const WarpBlock<metric>& block_;
    const typename Samples::Source& source_;
    const Positions& positions_;
};

/// A thread's.
class LaneRefinement {
  public:
    __device__ LaneRefinement(const LaneBlock& block, const Positions& positions)
        : block_(block), positions_(positions) {}

    __device__ Candidate measure(Mv mv) const { return block_.measure_blended(mv); }
    __device__ Candidate best_about(Mv centre, int step) const {
        BestCandidate best;
        for (int number = 0; number < 8; ++number) {
            const Position place = neighbour(centre, number, step);
            if (positions_.contain(place.x, place.y))
                best.offer(measure({static_cast<std::int16_t>(place.x), static_cast<std::int16_t>(place.y)}));
        }
        return best.best();
    }

  private:
    const LaneBlock& block_;
    const Positions& positions_;
};

/// The best position reached from `start`, which must be allowed; `step` is the first.
template <class Refinement>
__device__ Candidate refined(const Refinement& refinement, const Positions& positions, Mv start, int step) {
    Candidate best = refinement.measure(start);
    for (; step >= positions.grid; step /= 2) {
        const Candidate tried = refinement.best_about(best.mv, step);
        if (better(tried, best)) best = tried;
    }
    return best;
}

/// The block from its candidates, of which `start(slot)` is one.
template <class Refinement, class List, class Start>
__device__ void refine_candidates(const SearchTask& task, const SearchedBlock& block, const Refinement& refinement,
                                  const Positions& positions, List& list, const Start& start) {
    const Candidate zero = refinement.measure({});
    if (block.settled(zero)) {
        list.offer(zero);
        list.store(block.slots());
        return;
    }
    const Mv predictor = block.predictor();
    const bool is_other = !(predictor == Mv{}) && positions.in_range(predictor) && positions.allow(predictor);
    const Candidate predicted = is_other ? refinement.measure(predictor) : zero;
    for (int slot = 0; slot < task.candidates; ++slot) {
        const Candidate candidate = start(slot);
        if (!has_vector(candidate) || !positions.allow(candidate.mv)) continue;
        list.offer(refined(refinement, positions, candidate.mv, task.step() / 2));
    }
    if (list.empty()) list.offer(zero);
    block.store(zero, is_other, predicted, list);
}

/// The warp's block. `List`: WarpList, or WarpBest where the task has one candidate.
template <class Samples, Metric metric, class List = WarpList>
__device__ void refine_block(const SearchTask& task, const typename Samples::Source& source, int precision,
                             int border) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    const Positions positions(task, block.area(), precision, border);
    List list(task.candidates, block.lane());
    Candidate own;
    if (block.lane() < task.candidates) own = block.slots()[block.lane()];
    refine_candidates(task, block, WarpRefinement<Samples, metric>(block, source, positions), positions, list,
                      [&](int slot) { return from_lane(own, slot); });
}

/// The thread's block.
__device__ inline void refine_lane(const SearchTask& task, int precision, int border) {
    const int number = LaneBlock::number();
    if (number >= task.rows * task.columns) return;
    const LaneBlock block(task, number);
    const Positions positions(task, block.area(), precision, border);
    BestCandidate best;
    refine_candidates(task, block, LaneRefinement(block, positions), positions, best,
                      [&](int slot) { return block.slots()[slot]; });
}

} // namespace tandem::cuda
