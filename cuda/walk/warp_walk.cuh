// SPDX-License-Identifier: BSD-2-Clause
// Positions that a warp tries about the best vector of its block, eight at a time, four lanes for each.
#pragma once

#include "cuda/walk/warp_block.cuh"

namespace tandem::cuda {

/// Positions about a centre, as in me/search/pattern.h; a position beyond `count` is none.
struct Pattern {
    int count;
    signed char x[16], y[16];
};
enum PatternName { square, small_diamond, large_diamond, hexagon, large_hexagon };
__constant__ constexpr Pattern patterns[] = {
    {8, {-1, 0, 1, -1, 1, -1, 0, 1}, {-1, -1, -1, 0, 0, 1, 1, 1}},
    {4, {0, -1, 1, 0}, {-1, 0, 0, 1}},
    {8, {0, -1, 1, -2, 2, -1, 1, 0}, {-2, -1, -1, 0, 0, 1, 1, 2}},
    {6, {-1, 1, -2, 2, -1, 1}, {-2, -2, 0, 0, 2, 2}},
    {16,
     {0, -2, 2, -4, 4, -4, 4, -4, 4, -4, 4, -4, 4, -2, 2, 0},
     {-4, -3, -3, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4}},
};

__device__ inline Position moved(Position centre, PatternName name, int number, int step_x, int step_y) {
    const Pattern& pattern = patterns[name];
    return {centre.x + step_x * pattern.x[number], centre.y + step_y * pattern.y[number]};
}

/// Groups of threads on a multiprocessor of the kernels that walk: Hadamard transforms need more registers.
constexpr int walking_groups(Metric metric) { return metric == Metric::satd ? 4 : 5; }

/// A step of a search that walks on whole positions. All lanes of the warp call its functions with the same arguments
/// but where they say otherwise.
template <Metric metric> class WarpWalk {
  public:
    static constexpr int at_once = 8; ///< Positions.
    static constexpr int lanes_each = 4;

    __device__ WarpWalk(const SearchTask& task, const WarpBlock<metric>& block, WarpList& list)
        : task_(task), block_(block), list_(list) {}

    /// Which of the positions tried at once is this lane's.
    __device__ int number() const { return block_.lane() / lanes_each; }
    __device__ Position centre() const {
        const Mv best = list_.best().mv;
        return {best.x / eighths_per_pel, best.y / eighths_per_pel};
    }
    __device__ std::uint32_t cost() const { return list_.best().cost; }

    /// Tries each lane's own position, the same in the lanes of one number; none where it does not exist.
    __device__ void propose(Position own, bool exists) {
        const bool allowed = exists && block_.vectors().contains(own);
        const int part = block_.lane() % lanes_each;
        const std::uint32_t distortion = sum_of_shares(allowed ? block_.share(own, part, lanes_each) : 0, lanes_each);
        list_.offer_each(allowed && part == 0, block_.candidate(mv_of(task_, own), distortion));
    }

    /// Tries a pattern of at most 8 positions, scaled, about the best vector; true when something is better.
    __device__ bool attempt(PatternName name, int step_x, int step_y) {
        const Mv before = list_.best().mv;
        propose(moved(centre(), name, number(), step_x, step_y), number() < patterns[name].count);
        return !(list_.best().mv == before);
    }

  private:
    const SearchTask& task_;
    const WarpBlock<metric>& block_;
    WarpList& list_;
};

} // namespace tandem::cuda
