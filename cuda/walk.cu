// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk, a warp per block: four lanes for each of the 8 neighbours of the best vector.
#include "cuda/check.h"
#include "cuda/warp_block.cuh"

namespace tandem::cuda {

namespace {

__device__ int next_step(int step, StepRule rule) {
    return step == 0 ? 0 : rule == StepRule::halve ? step / 2 : step - 1;
}

template <Metric metric>
__device__ void try_neighbours(const WarpBlock<metric>& block, int step_x, int step_y, WarpList& list) {
    const Mv best = list.best().mv;
    const PelVector offset = neighbour(block.lane() / 4);
    const PelVector own{best.x / eighths_per_pel + step_x * offset.x, best.y / eighths_per_pel + step_y * offset.y};
    const bool allowed = block.vectors().contains(own.x, own.y);
    const std::uint32_t distortion = sum_of_shares(allowed ? block.share(own, block.lane() % 4, 4) : 0, 4);
    const Candidate tried = block.candidate(mv_of(own), distortion);
    unsigned waiting = __ballot_sync(whole_warp, allowed && block.lane() % 4 == 0);
    for (; waiting != 0; waiting &= waiting - 1)
        list.offer(from_lane(tried, __ffs(static_cast<int>(waiting)) - 1));
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5) step_search(const SearchTask task, const StepSequence steps) {
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
    const PelVector whole = block.whole_predictor();
    const bool is_other = (whole.x != 0 || whole.y != 0) && block.vectors().contains(whole.x, whole.y);
    const Candidate predicted = is_other ? block.measure(whole) : zero;
    list.offer(predicted);
    int step_x = steps.first_x, step_y = steps.first_y;
    while (step_x > 0 || step_y > 0) {
        try_neighbours(block, max(step_x, 1), max(step_y, 1), list);
        step_x = next_step(step_x, steps.rule);
        step_y = next_step(step_y, steps.rule);
    }
    block.store(zero, is_other, predicted, list);
}

} // namespace

void launch_step_search(const SearchTask& task, const StepSequence& steps, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    switch (task.metric) {
    case Metric::sad:
        step_search<Metric::sad><<<groups, warp_kernel_threads, 0, stream>>>(task, steps);
        break;
    case Metric::ssd:
        step_search<Metric::ssd><<<groups, warp_kernel_threads, 0, stream>>>(task, steps);
        break;
    case Metric::satd:
        step_search<Metric::satd><<<groups, warp_kernel_threads, 0, stream>>>(task, steps);
        break;
    }
    check_launch("a walking search");
}

} // namespace tandem::cuda
