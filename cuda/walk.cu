// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk, a warp per block: four lanes for each of up to 8 positions about the best vector.
#include "cuda/check.h"
#include "cuda/kernels.h"
#include "cuda/warp_block.cuh"

namespace tandem::cuda {

namespace {

/// Positions about a centre, as in me/search/pattern.h; a position beyond `count` is the centre.
struct Pattern {
    int count;
    signed char x[8], y[8];
};
enum PatternName { square, small_diamond, large_diamond, hexagon };
__constant__ constexpr Pattern patterns[] = {
    {8, {-1, 0, 1, -1, 1, -1, 0, 1}, {-1, -1, -1, 0, 0, 1, 1, 1}},
    {4, {0, -1, 1, 0}, {-1, 0, 0, 1}},
    {8, {0, -1, 1, -2, 2, -1, 1, 0}, {-2, -1, -1, 0, 0, 1, 1, 2}},
    {6, {-1, 1, -2, 2, -1, 1}, {-2, -2, 0, 0, 2, 2}},
};

template <Metric metric> class BlockWalk {
  public:
    __device__ BlockWalk(const SearchTask& task, const WarpBlock<metric>& block, WarpList& list)
        : task_(task), block_(block), list_(list) {}

    __device__ void run(const Walk& walk) {
        switch (walk.kind) {
        case WalkKind::square_halving:
        case WalkKind::square_one_less:
            falling_steps(walk);
            break;
        case WalkKind::cross_halving:
            halving_cross(max(walk.first_x, walk.first_y));
            break;
        case WalkKind::diamond:
            until_none_is_better(large_diamond);
            break;
        case WalkKind::hexagon:
            until_none_is_better(hexagon);
            break;
        }
    }

  private:
    /// Tries the pattern, scaled, about the best vector; true when something is better.
    __device__ bool attempt(PatternName name, int step_x, int step_y) {
        const Pattern& pattern = patterns[name];
        const Mv centre = list_.best().mv;
        const int number = block_.lane() / 4;
        const Position own{centre.x / eighths_per_pel + step_x * pattern.x[number],
                           centre.y / eighths_per_pel + step_y * pattern.y[number]};
        const bool allowed = number < pattern.count && block_.vectors().contains(own);
        const std::uint32_t distortion = sum_of_shares(allowed ? block_.share(own, block_.lane() % 4, 4) : 0, 4);
        const Candidate tried = block_.candidate(mv_of(task_, own), distortion);
        unsigned waiting = __ballot_sync(whole_warp, allowed && block_.lane() % 4 == 0);
        for (; waiting != 0; waiting &= waiting - 1)
            list_.offer(from_lane(tried, __ffs(static_cast<int>(waiting)) - 1));
        return !(list_.best().mv == centre);
    }

    /// An axis whose steps end sooner keeps step 1.
    __device__ void falling_steps(const Walk& walk) {
        const auto next = [&](int step) {
            return step == 0 ? 0 : walk.kind == WalkKind::square_halving ? step / 2 : step - 1;
        };
        for (int x = walk.first_x, y = walk.first_y; x > 0 || y > 0; x = next(x), y = next(y))
            attempt(square, max(x, 1), max(y, 1));
    }

    __device__ void halving_cross(int step) {
        while (step > 1) {
            if (!attempt(small_diamond, step, step)) step /= 2;
        }
        attempt(square, 1, 1);
    }

    __device__ void until_none_is_better(PatternName name) {
        while (attempt(name, 1, 1)) {
        }
        attempt(small_diamond, 1, 1);
    }

    const SearchTask& task_;
    const WarpBlock<metric>& block_;
    WarpList& list_;
};

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5) walk_search(const SearchTask task, const Walk walk) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    WarpList list(task.candidates, block.lane());
    const Candidate zero = block.measure({0, 0});
    list.offer(zero);
    if (block.settled(zero)) {
        block.store(zero, false, zero, list);
        return;
    }
    const bool has_predicted = block.has_predicted();
    const Candidate predicted = has_predicted ? block.measure(block.predicted()) : zero;
    list.offer(predicted);
    BlockWalk<metric>(task, block, list).run(walk);
    block.store(zero, has_predicted, predicted, list);
}

} // namespace

void launch_walk(const SearchTask& task, const Walk& walk, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    switch (task.metric) {
    case Metric::sad:
        walk_search<Metric::sad><<<groups, warp_kernel_threads, 0, stream>>>(task, walk);
        break;
    case Metric::ssd:
        walk_search<Metric::ssd><<<groups, warp_kernel_threads, 0, stream>>>(task, walk);
        break;
    case Metric::satd:
        walk_search<Metric::satd><<<groups, warp_kernel_threads, 0, stream>>>(task, walk);
        break;
    }
    check_launch("a walking search");
}

} // namespace tandem::cuda
