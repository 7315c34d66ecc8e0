// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk about the best vector, a warp per block, or a thread where it is small: me/search/patterns.cpp on
// the device. A walk is data.
#include <stdexcept>

#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/lane_walk.cuh"
#include "cuda/walk/picture_of_batch.cuh"
#include "cuda/walk/warp_walk.cuh"

namespace tandem::cuda {

namespace {

/// An axis whose steps end sooner keeps step 1.
template <class Steps>
__device__ void falling_steps(Steps& steps, const Walk& walk, const typename Steps::OwnPlace& own) {
    const auto next = [&](int step) { return step == 0 ? 0 : walk.steps == WalkSteps::halved ? step / 2 : step - 1; };
    for (int x = walk.first_x, y = walk.first_y; x > 0 || y > 0; x = next(x), y = next(y))
        steps.attempt(own, max(x, 1), max(y, 1));
}

template <class Steps>
__device__ void patient_steps(Steps& steps, const Walk& walk, const typename Steps::OwnPlace& own) {
    for (int step = walk.first_x; step > 1;) {
        if (!steps.attempt(own, step, step)) step /= 2;
    }
}

template <class Steps> __device__ void run(Steps& steps, const Walk& walk) {
    const typename Steps::OwnPlace own = steps.own_place(walk.pattern);
    switch (walk.steps) {
    case WalkSteps::halved:
    case WalkSteps::one_less:
        falling_steps(steps, walk, own);
        break;
    case WalkSteps::patient:
        patient_steps(steps, walk, own);
        break;
    case WalkSteps::while_better:
        while (steps.attempt(own, 1, 1)) {
        }
        break;
    }
    if (walk.last.count > 0) steps.attempt(steps.own_place(walk.last), 1, 1);
}

template <Metric metric, class List>
__device__ void walk_block(const SearchTask& task, const Walk& walk, const CoarseCells& coarse) {
    search_warp_block<metric, List>(task, [&](const WarpBlock<metric>& block, List& list) {
        WarpWalk<metric, List> steps(task, block, list);
        propose_coarse(coarse, block, steps);
        run(steps, walk);
    });
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    walk_search(const SearchTask task, const __grid_constant__ Walk walk, const CoarseCells coarse) {
    walk_block<metric, WarpList>(task, walk, coarse);
}

template <class List>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(Metric::sad))
    walk_batch(const __grid_constant__ SearchTask task, const __grid_constant__ Walk walk,
               const __grid_constant__ CoarseCells coarse, const __grid_constant__ PictureBatch batch) {
    const int number = number_of_picture();
    const SearchTask own = task_of_picture(task, batch, number);
    walk_block<Metric::sad, List>(own, walk, cells_of_picture(coarse, number));
}

__global__ void __launch_bounds__(lane_kernel_threads)
    walk_lanes(const __grid_constant__ SearchTask task, const __grid_constant__ Walk walk,
               const __grid_constant__ CoarseCells coarse, const __grid_constant__ PictureBatch batch) {
    const int number = LaneBlock::number(), picture = number_of_picture();
    if (number >= task.rows * task.columns) return;
    const SearchTask own = task_of_picture(task, batch, picture);
    const LaneBlock block(own, number);
    BestCandidate best;
    search_block(block, best, [&] {
        LaneWalk steps(block, best);
        propose_coarse(cells_of_picture(coarse, picture), block, steps);
        run(steps, walk);
    });
}

void check_walk(const Walk& walk) {
    static_assert(WarpWalk<Metric::sad>::at_once == Walk::most_places);
    if (walk.pattern.count > Walk::most_places || walk.last.count > Walk::most_places)
        throw std::logic_error("a walk whose pattern has more places than are tried at once");
}

} // namespace

void launch_walk(const SearchTask& task, const Walk& walk, const CoarseCells& coarse, cudaStream_t stream) {
    check_walk(walk);
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        walk_search<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, walk, coarse);
    });
    check_launch("a walking search");
}

void launch_walk_batch(const SearchTask& task, const Walk& walk, const CoarseCells& coarse, const PictureBatch& batch,
                       cudaStream_t stream) {
    check_walk(walk);
    if (suits_lanes(task)) {
        walk_lanes<<<lane_kernel_groups(task, batch), lane_kernel_threads, 0, stream>>>(task, walk, coarse, batch);
    } else {
        const auto kernel = task.candidates == 1 ? walk_batch<WarpBest> : walk_batch<WarpList>;
        kernel<<<warp_kernel_groups(task, batch), warp_kernel_threads, 0, stream>>>(task, walk, coarse, batch);
    }
    check_launch("a walking search of several pictures");
}

} // namespace tandem::cuda
