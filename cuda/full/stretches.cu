// SPDX-License-Identifier: BSD-2-Clause
// The end of a full search for several candidates in three steps: a warp per block selects the best stretches, a thread
// per stretch sweeps it again, a warp per block merges what they hold.
#include "cuda/device/check.h"
#include "cuda/full/block_sweep.cuh"
#include "cuda/full/stretch_selection.cuh"
#include "cuda/full/sweep_variants.h"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

constexpr int sweep_threads = 64;

/// A lane's best keys that have not been taken: two, so that most lanes look at theirs once.
struct LaneKeys {
    VectorKey best = no_vector_key, next = no_vector_key;

    __device__ void see(VectorKey key) {
        next = min(next, max(best, key));
        best = min(best, key);
    }
    /// True when the lane has to look again.
    __device__ bool take(VectorKey key) {
        if (best != key) return false;
        best = next;
        next = no_vector_key;
        return best == no_vector_key;
    }
};

__global__ void __launch_bounds__(warp_kernel_threads)
    select_stretches(const SearchTask task, const FullSearchLayout layout) {
    const int number = WarpBlock<Metric::sad>::number();
    if (number >= task.rows * task.columns) return;
    const int column = number % task.columns, row = task.first_row + number / task.columns;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const VectorArea area = vector_area(task, block_area(task, column, row));
    const VectorKey* keys = keys_of(task, layout, column, row);
    LaneKeys own;
    for_keys_of_lane(task, layout, area, keys, lane, [&](VectorKey key) { own.see(key); });
    for (int i = 0; i < task.candidates; ++i) {
        const VectorKey selected = least(own.best);
        if (lane == 0) layout.selected[static_cast<std::size_t>(number) * task.candidates + i] = selected;
        if (selected == no_vector_key || !own.take(selected)) continue;
        for_keys_of_lane(task, layout, area, keys, lane, [&](VectorKey key) {
            if (key > selected) own.see(key);
        });
    }
}

/// Writes a stretch's distortions one after the other.
struct StoreDistortions {
    std::uint32_t* out;
    __device__ void row(std::uint32_t distortion) { *out++ = distortion; }
    __device__ void rows_done(int) {}
};

template <Metric metric, int words, int rows>
__global__ void __launch_bounds__(sweep_threads, 8)
    sweep_stretches(const SearchTask task, const FullSearchLayout layout) {
    const int number = static_cast<int>(blockIdx.x) * sweep_threads + static_cast<int>(threadIdx.x);
    if (number >= task.rows * task.columns * task.candidates) return;
    const VectorKey key = layout.selected[number];
    if (key == no_vector_key) return;
    const Position position = position_of_key(key);
    const int block = number / task.candidates;
    const BlockArea area = block_area(task, block % task.columns, task.first_row + block / task.columns);
    const RowRun stretch = stretch_of(task, layout, vector_area(task, area), position);
    BlockSweep<metric, words, rows> sweep(tile_source(task, area.x, area.y, {position.x, stretch.first_y}));
    StoreDistortions keep{layout.stretch_distortions + static_cast<std::size_t>(number) * most_stretch_rows};
    sweep.run_cut(stretch.count, area.width, area.height, keep);
}

template <Metric metric>
constexpr SweepVariant<void(SearchTask, FullSearchLayout)> variants[] = {
    {{4, 16}, sweep_stretches<metric, 4, 16>}, {{4, 8}, sweep_stretches<metric, 4, 8>},
    {{4, 4}, sweep_stretches<metric, 4, 4>},   {{2, 16}, sweep_stretches<metric, 2, 16>},
    {{2, 8}, sweep_stretches<metric, 2, 8>},   {{2, 4}, sweep_stretches<metric, 2, 4>},
    {{1, 16}, sweep_stretches<metric, 1, 16>}, {{1, 8}, sweep_stretches<metric, 1, 8>},
    {{1, 4}, sweep_stretches<metric, 1, 4>},
};

template <Metric metric>
void launch_sweep(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, cudaStream_t stream) {
    const int stretches = task.rows * task.columns * task.candidates;
    const auto groups = static_cast<unsigned>((stretches + sweep_threads - 1) / sweep_threads);
    auto* const kernel = kernel_of_tile(variants<metric>, tile);
    kernel<<<groups, sweep_threads, 0, stream>>>(task, layout);
}

/// The keys of a lane's row in each of the block's stretches.
template <Metric metric, int most>
__device__ void load_keys(const SearchTask& task, const FullSearchLayout& layout, const WarpBlock<metric>& block,
                          int number, VectorKey (&keys)[most]) {
#pragma unroll
    for (int i = 0; i < most; ++i) {
        keys[i] = no_vector_key;
        if (i >= task.candidates) continue;
        const std::size_t place = static_cast<std::size_t>(number) * task.candidates + i;
        const VectorKey selected = layout.selected[place];
        if (selected == no_vector_key) continue;
        const Position position = position_of_key(selected);
        const RowRun stretch = stretch_of(task, layout, block.vectors(), position);
        if (block.lane() >= stretch.count) continue;
        const int y = stretch.first_y + (block.lane() << task.grid_shift);
        const std::uint32_t distortion = layout.stretch_distortions[place * most_stretch_rows + block.lane()];
        const std::uint32_t cost = block.candidate(mv_of(task, {position.x, y}), distortion).cost;
        keys[i] = vector_key(cost, position.x, y);
    }
}

/// The best candidates of the stretches, which come in order.
template <Metric metric, int most>
__device__ void append_best(const SearchTask& task, const WarpBlock<metric>& block, VectorKey (&keys)[most],
                            WarpList& list) {
    for (int found = 0; found < task.candidates; ++found) {
        VectorKey own = keys[0];
#pragma unroll
        for (int i = 1; i < most; ++i)
            own = min(own, keys[i]);
        const VectorKey best = least(own);
        if (best == no_vector_key) return;
        list.append(candidate_of_key(task, block.predictor(), best));
#pragma unroll
        for (int i = 0; i < most; ++i)
            keys[i] = keys[i] == best ? no_vector_key : keys[i];
    }
}

template <Metric metric, int most>
__global__ void __launch_bounds__(warp_kernel_threads, 5)
    merge_stretches(const SearchTask task, const FullSearchLayout layout) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    finish_block(task, block, [&](WarpList& list) {
        VectorKey keys[most];
        load_keys(task, layout, block, number, keys);
        append_best(task, block, keys, list);
    });
}

template <Metric metric>
void launch_merge(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    if (task.candidates <= 4) {
        merge_stretches<metric, 4><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
    } else {
        merge_stretches<metric, 16><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
    }
}

} // namespace

void launch_select_stretches(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    select_stretches<<<warp_kernel_groups(task), warp_kernel_threads, 0, stream>>>(task, layout);
    check_launch("selecting stretches");
}

void launch_sweep_stretches(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile,
                            cudaStream_t stream) {
    if (task.metric == Metric::ssd) {
        launch_sweep<Metric::ssd>(task, layout, tile, stream);
    } else {
        launch_sweep<Metric::sad>(task, layout, tile, stream);
    }
    check_launch("searching stretches again");
}

void launch_merge_stretches(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    if (task.metric == Metric::ssd) {
        launch_merge<Metric::ssd>(task, layout, stream);
    } else {
        launch_merge<Metric::sad>(task, layout, stream);
    }
    check_launch("merging stretches");
}

} // namespace tandem::cuda
