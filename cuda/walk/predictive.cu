// SPDX-License-Identifier: BSD-2-Clause
// Predictive search, a warp per block: me/search/predictive.cpp and levels/wide_search.cpp on the device. Where the
// blocks begin was found by coarse.cu. The rare searches that go on from what the slots hold are in a kernel of their
// own, so that they take no registers of the usual one.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/level_block.cuh"
#include "cuda/walk/window_sweep.cuh"
#include "me/candidate_list.h"
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

/// The vectors of the smallest level within a range of a centre.
__device__ VectorArea widely_reached_from(Position centre, int level, int range, const VectorArea& all) {
    const Position nearest{min(max(centre.x >> level, all.min_x), all.max_x),
                           min(max(centre.y >> level, all.min_y), all.max_y)};
    return reached_from(nearest, range, range, all);
}

/// From what was found on the smallest level, the best few on larger ones.
template <Metric metric>
__device__ void search_from(const SearchTask& task, const WideLevels& wide, const WarpBlock<metric>& block,
                            const WarpWalk<metric>& steps, const WarpList& found) {
    const int smallest = wide.pyramid.count - 1;
    search_whole(search_larger_levels(task, wide.pyramid, block, smallest, found), block.vectors(), true, steps);
}

/// Of the smallest level's vectors those about the centre, then the best few on larger ones.
template <Metric metric>
__device__ void search_widely(const SearchTask& task, const WideLevels& wide, const WarpBlock<metric>& block,
                              const WarpWalk<metric>& steps, Position centre) {
    const int smallest = wide.pyramid.count - 1;
    const LevelBlock<metric> level(task, wide.pyramid, block, smallest);
    WarpList found(wide.pyramid.candidates, block.lane());
    level.search_window(widely_reached_from(centre, smallest, wide.range, level.vectors()), found);
    search_from(task, wide, block, steps, found);
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
        if (wants_wide_search(near, task.lambda_q8)) search_widely(task, wide, block, steps, steps.centre());
    });
}

/// Warps that have a block each, and share the second searches of each: every vector about zero is forty times the
/// positions of the first.
constexpr int sharing_warps = 8;

/// tandem::is_drawn() of the warp's block. All lanes call this and get the same answer.
__device__ bool is_drawn(const SearchTask& task, const BlockArea& area, int lane) {
    constexpr std::uint32_t last_level = brightness_levels - 1;
    __shared__ std::uint32_t counts_of_warps[sharing_warps][brightness_levels];
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

/// The vectors of slots.
__device__ WarpList list_of(const SearchTask& task, const Candidate* slots, int lane) {
    WarpList list(task.candidates, lane);
    for (int slot = 0; slot < task.candidates; ++slot) {
        const Candidate kept = slots[slot];
        if (has_vector(kept)) list.append(kept);
    }
    return list;
}

/// A warp's share of an area: some of its rows.
__device__ VectorArea share_of(VectorArea area, int share) {
    const int first = area.min_y, height = area.max_y - area.min_y + 1;
    area.min_y = first + height * share / sharing_warps;
    area.max_y = first + height * (share + 1) / sharing_warps - 1;
    return area;
}

/// Of every vector about zero. `kept`: the best so far.
template <Metric metric>
__device__ WarpList search_drawing(const SearchTask& task, const WarpBlock<metric>& block, int share,
                                   const Candidate* kept, SweptBlock::Rows& rows) {
    WarpList list = list_of(task, kept, block.lane());
    const VectorArea area = share_of(reached_from({0, 0}, drawn_range, drawn_range, block.vectors()), share);
    if (area.min_y > area.max_y) return list;
    WarpWalk<metric> steps(task, block, list);
    offer_all(task, block, area, rows, steps, list);
    return list;
}

/// Of the smallest level's vectors about zero.
template <Metric metric>
__device__ WarpList search_about_zero(const SearchTask& task, const WideLevels& wide, const WarpBlock<metric>& block,
                                      int share) {
    WarpList list(wide.pyramid.candidates, block.lane());
    const int smallest = wide.pyramid.count - 1;
    const LevelBlock<metric> level(task, wide.pyramid, block, smallest);
    const VectorArea area =
        share_of(widely_reached_from({0, 0}, smallest, wide.range_about_zero, level.vectors()), share);
    if (area.min_y <= area.max_y) level.search_window(area, list);
    return list;
}

/// All warps search for one block after another that is wanted, each by its share; the block's own warp gets what they
/// find, at most `candidates` each.
template <class Search>
__device__ void search_together(const bool (&is_wanted)[sharing_warps], int candidates, WarpList& own,
                                const Search& search) {
    __shared__ Candidate shares[sharing_warps][most_candidates];
    const int warp = static_cast<int>(threadIdx.x / 32);
    for (int other = 0; other < sharing_warps; ++other) {
        if (!is_wanted[other]) continue;
        search(other).store(shares[warp]);
        __syncthreads();
        for (int i = 0; warp == other && i < sharing_warps * candidates; ++i) {
            const Candidate found = shares[i / candidates][i % candidates];
            if (has_vector(found)) own.offer(found);
        }
        __syncthreads();
    }
}

/// What blocks have left which differ by much, or which are drawn: a wide search about zero, and every vector about
/// zero. Zero and the predictor, which the slots may hold in the place of better ones, take that place again.
template <Metric metric>
__global__ void __launch_bounds__(32 * sharing_warps, 2)
    predictive_again(const __grid_constant__ SearchTask task, const __grid_constant__ WideLevels wide) {
    __shared__ SweptBlock::Rows rows[sharing_warps];
    __shared__ Candidate lists[sharing_warps][most_candidates];
    __shared__ bool differs_much[sharing_warps], is_drawing[sharing_warps];
    const int warp = static_cast<int>(threadIdx.x / 32), first = static_cast<int>(blockIdx.x) * sharing_warps;
    const int last = task.rows * task.columns - 1;
    const WarpBlock<metric> block(task, min(first + warp, last));
    const Candidate best = block.slots()[0];
    const auto samples = static_cast<std::uint32_t>(block.area().width * block.area().height);
    const bool is_left = first + warp <= last && best.distortion != 0 && !(best.mv == Mv{} && block.settled(best));
    if (block.lane() == 0) differs_much[warp] = is_left && wants_search_about_zero(task, best.distortion, samples);
    const bool may_draw = is_left && is_drawn(task, block.area(), block.lane());
    __syncthreads();
    WarpList found(wide.pyramid.candidates, block.lane());
    search_together(differs_much, wide.pyramid.candidates, found, [&](int other) {
        return search_about_zero(task, wide, WarpBlock<metric>(task, first + other), warp);
    });
    WarpList list = list_of(task, block.slots(), block.lane());
    if (differs_much[warp]) search_from(task, wide, block, WarpWalk<metric>(task, block, list), found);
    list.store(lists[warp]);
    const bool draws = wants_drawn_search(task, list.best().distortion) && may_draw; // All lanes ask the list.
    if (block.lane() == 0) is_drawing[warp] = draws;
    __syncthreads();
    search_together(is_drawing, task.candidates, list, [&](int other) {
        return search_drawing(task, WarpBlock<metric>(task, first + other), warp, lists[other], rows[warp]);
    });
    if (!differs_much[warp] && !is_drawing[warp]) return;
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
    const auto sharing_groups = static_cast<unsigned>((task.rows * task.columns + sharing_warps - 1) / sharing_warps);
    by_metric(task.metric, [&](auto metric) {
        predictive_wide<decltype(metric)::value>
            <<<groups, warp_kernel_threads, 0, stream>>>(task, reach_x, reach_y, coarse, wide);
        if (task.null_gain == 0)
            predictive_again<decltype(metric)::value><<<sharing_groups, 32 * sharing_warps, 0, stream>>>(task, wide);
    });
    check_launch("a wide predictive search");
}

} // namespace tandem::cuda
