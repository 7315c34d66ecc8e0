// SPDX-License-Identifier: BSD-2-Clause
// Positions that a thread tries about the best vector of its block: warp_walk.cuh for small blocks.
#pragma once

#include "cuda/walk/lane_block.cuh"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

/// A step of a search that walks on whole positions: WarpWalk for a thread.
class LaneWalk {
  public:
    using OwnPlace = const Pattern*;

    __device__ LaneWalk(const LaneBlock& block, BestCandidate& best) : block_(block), best_(best) {}

    __device__ void propose(Position position) {
        if (block_.vectors().contains(position)) best_.offer(block_.measure(position));
    }
    __device__ OwnPlace own_place(const Pattern& pattern) const { return &pattern; }
    /// Tries the pattern, scaled, about the best vector; true when something is better.
    __device__ bool attempt(OwnPlace pattern, int step_x, int step_y) {
        const Mv before = best_.best().mv;
        const Position centre{before.x / eighths_per_pel, before.y / eighths_per_pel};
        for (int place = 0; place < pattern->count; ++place)
            propose(moved(centre, *pattern, place, step_x, step_y));
        return !(best_.best().mv == before);
    }

  private:
    const LaneBlock& block_;
    BestCandidate& best_;
};

/// Tries what the coarse search found about the block's middle, where there was one.
__device__ inline void propose_coarse(const CoarseCells& coarse, const LaneBlock& block, LaneWalk& steps) {
    if (coarse.vectors == nullptr) return;
    for (int number = 0; number < cells_of_block; ++number) {
        Position start;
        if (coarse_start(coarse, block, number, start)) steps.propose(start);
    }
}

} // namespace tandem::cuda
