// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk about the best vector, a warp per block.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

namespace {

/// An axis whose steps end sooner keeps step 1.
template <Metric metric> __device__ void falling_steps(WarpWalk<metric>& steps, const Walk& walk) {
    const auto next = [&](int step) {
        return step == 0 ? 0 : walk.kind == WalkKind::square_halving ? step / 2 : step - 1;
    };
    for (int x = walk.first_x, y = walk.first_y; x > 0 || y > 0; x = next(x), y = next(y))
        steps.attempt(square, max(x, 1), max(y, 1));
}

template <Metric metric> __device__ void halving_cross(WarpWalk<metric>& steps, int step) {
    while (step > 1) {
        if (!steps.attempt(small_diamond, step, step)) step /= 2;
    }
    steps.attempt(square, 1, 1);
}

template <Metric metric> __device__ void until_none_is_better(WarpWalk<metric>& steps, PatternName name) {
    while (steps.attempt(name, 1, 1)) {
    }
    steps.attempt(small_diamond, 1, 1);
}

template <Metric metric> __device__ void run(WarpWalk<metric> steps, const Walk& walk) {
    switch (walk.kind) {
    case WalkKind::square_halving:
    case WalkKind::square_one_less:
        falling_steps(steps, walk);
        break;
    case WalkKind::cross_halving:
        halving_cross(steps, max(walk.first_x, walk.first_y));
        break;
    case WalkKind::diamond:
        until_none_is_better(steps, large_diamond);
        break;
    case WalkKind::hexagon:
        until_none_is_better(steps, hexagon);
        break;
    }
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    walk_search(const SearchTask task, const Walk walk) {
    search_warp_block<metric>(
        task, [&](const WarpBlock<metric>& block, WarpList& list) { run(WarpWalk<metric>(task, block, list), walk); });
}

} // namespace

void launch_walk(const SearchTask& task, const Walk& walk, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        walk_search<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, walk);
    });
    check_launch("a walking search");
}

} // namespace tandem::cuda
