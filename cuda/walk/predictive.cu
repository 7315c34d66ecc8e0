// SPDX-License-Identifier: BSD-2-Clause
// Predictive search, a warp per block: me/search/predictive.cpp and levels/wide_search.cpp on the device. Where the
// blocks begin was found by coarse.cu. The rare search of drawn blocks goes on from what the slots hold, in a kernel of
// its own, so that it takes no registers of the usual one.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/level_block.cuh"
#include "cuda/walk/window_sweep.cuh"
#include "me/search/levels/wide_rules.h"

namespace tandem::cuda {

namespace {

/// Every position of the area.
template <Metric metric>
__device__ void offer_all(const SearchTask& task, const WarpBlock<metric>& block, const VectorArea& area,
                          SweptBlock::Rows& rows, WarpWalk<metric>& steps, WarpList& list) {
    if (SweptBlock::fits<metric>(block.area(), area)) {
        offer_swept(task, block, SweptBlock(task.current, block.area(), block.lane(), rows), area, list);
        return;
    }
    const int width = area.width(), count = width * (area.max_y - area.min_y + 1);
    for (int first = 0; first < count; first += WarpWalk<metric>::at_once) {
        const int number = first + steps.number();
        steps.propose({area.min_x + number % width, area.min_y + number / width}, number < count);
    }
}

__device__ VectorArea reached_from(Position centre, int reach_x, int reach_y, const VectorArea& all) {
    return {max(centre.x - reach_x, all.min_x), min(centre.x + reach_x, all.max_x), max(centre.y - reach_y, all.min_y),
            min(centre.y + reach_y, all.max_y)};
}

/// Of the smallest level's vectors those about the best one so far, then the best few on larger ones; again about zero
/// where that is to be.
template <Metric metric>
__device__ void search_widely(const SearchTask& task, const WideLevels& wide, const WarpBlock<metric>& block,
                              const WarpWalk<metric>& steps, const WarpList& list) {
    const int smallest = wide.pyramid.count - 1;
    const LevelBlock<metric> level(task, wide.pyramid, block, smallest);
    const VectorArea& all = level.vectors();
    const auto window_about = [&](Position centre) {
        return reached_from({min(max(centre.x >> smallest, all.min_x), all.max_x),
                             min(max(centre.y >> smallest, all.min_y), all.max_y)},
                            wide.range, wide.range, all);
    };
    const std::uint32_t samples = static_cast<std::uint32_t>(block.area().width * block.area().height);
    VectorArea window = window_about(steps.centre());
    for (;;) {
        const bool has_zero = window.contains({0, 0});
        WarpList found(wide.pyramid.candidates, block.lane());
        level.search_window(window, found);
        found = search_larger_levels(task, wide.pyramid, block, smallest, found);
        search_whole(found, block.vectors(), true, steps);
        if (has_zero || !wants_search_about_zero(list.best().distortion, samples)) return;
        window = window_about({0, 0});
    }
}

template <Metric metric>
__device__ void search_near(const SearchTask& task, int reach_x, int reach_y, const CoarseCells& coarse,
                            const WarpBlock<metric>& block, WarpWalk<metric>& steps, WarpList& list) {
    __shared__ SweptBlock::Rows rows[warps_per_group];
    propose_coarse(coarse, block, steps);
    offer_all(task, block, reached_from(steps.centre(), reach_x, reach_y, block.vectors()), rows[threadIdx.x / 32],
              steps, list);
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    predictive(const SearchTask task, int reach_x, int reach_y, const CoarseCells coarse) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        WarpWalk<metric> steps(task, block, list);
        search_near(task, reach_x, reach_y, coarse, block, steps, list);
    });
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    predictive_wide(const __grid_constant__ SearchTask task, int reach_x, int reach_y,
                    const __grid_constant__ CoarseCells coarse, const __grid_constant__ WideLevels wide) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        WarpWalk<metric> steps(task, block, list);
        search_near(task, reach_x, reach_y, coarse, block, steps, list);
        const Candidate near = list.best();
        if (wants_wide_search(near, task.lambda_q8)) search_widely(task, wide, block, steps, list);
    });
}

/// tandem::is_drawn() of the warp's block. All lanes call this and get the same answer.
__device__ bool is_drawn(const SearchTask& task, const BlockArea& area, int lane) {
    constexpr std::uint32_t last_level = brightness_levels - 1;
    __shared__ std::uint32_t counts_of_warps[warps_per_group][brightness_levels];
    std::uint32_t(&counts)[brightness_levels] = counts_of_warps[threadIdx.x / 32];
    for (int i = lane; i < brightness_levels; i += 32)
        counts[i] = 0;
    __syncwarp();
    const WholeSamples current(task.current, area.x, area.y);
    for_words_of_share(area.width, area.height, lane, 32, [&](int word, int row, int samples) {
        const std::uint32_t four = current(4 * word, row);
        for (int i = 0; i < samples; ++i)
            atomicAdd(&counts[four >> (8 * i) & 0xFF], 1U);
    });
    __syncwarp();
    std::uint32_t equal = 0, adjacent = 0, darkest = last_level, under_last = last_level;
    for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < brightness_levels; i += 32) {
        if (counts[i] == 0) continue;
        equal += counts[i] * counts[i];
        if (i < last_level) adjacent += counts[i] * counts[i + 1];
        darkest = min(darkest, i);
        under_last = min(under_last, last_level - i);
    }
    const std::uint32_t brightest = last_level - least_of(whole_warp, under_last);
    return tandem::is_drawn({.equal = sum_of(whole_warp, equal),
                             .adjacent = sum_of(whole_warp, adjacent),
                             .spread = brightest - least_of(whole_warp, darkest)},
                            static_cast<std::uint32_t>(area.width * area.height));
}

/// Whether the search has left a drawing, of which this is the best vector.
template <Metric metric>
__device__ bool leaves_drawing(const SearchTask& task, const WarpBlock<metric>& block, const Candidate& best) {
    if (!wants_drawn_search(task, best.distortion)) return false;
    if (best.mv == Mv{} && block.settled(best)) return false;
    return is_drawn(task, block.area(), block.lane());
}

/// Every vector about zero of the drawn blocks that are left. Zero and the predictor, which the slots may hold in the
/// place of better ones, take that place again.
template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, walking_groups(metric))
    predictive_drawn(const __grid_constant__ SearchTask task) {
    __shared__ SweptBlock::Rows rows[warps_per_group];
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    if (!leaves_drawing(task, block, block.slots()[0])) return;
    WarpList list(task.candidates, block.lane());
    for (int slot = 0; slot < task.candidates; ++slot) {
        const Candidate kept = block.slots()[slot];
        if (has_vector(kept)) list.append(kept);
    }
    WarpWalk<metric> steps(task, block, list);
    offer_all(task, block, reached_from({0, 0}, drawn_range, drawn_range, block.vectors()), rows[threadIdx.x / 32],
              steps, list);
    const bool has_predicted = block.has_predicted();
    const Candidate zero = block.measure({0, 0});
    const Candidate predicted = has_predicted ? block.measure(block.predicted()) : zero;
    block.store(zero, has_predicted, predicted, list);
}

} // namespace

void launch_predictive(const SearchTask& task, int reach_x, int reach_y, const CoarseCells& coarse,
                       cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        predictive<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, reach_x, reach_y, coarse);
    });
    check_launch("a predictive search");
}

void launch_predictive_wide(const SearchTask& task, int reach_x, int reach_y, const CoarseCells& coarse,
                            const WideLevels& wide, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        predictive_wide<decltype(metric)::value>
            <<<groups, warp_kernel_threads, 0, stream>>>(task, reach_x, reach_y, coarse, wide);
        if (task.null_gain == 0)
            predictive_drawn<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task);
    });
    check_launch("a wide predictive search");
}

} // namespace tandem::cuda
