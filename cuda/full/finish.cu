// SPDX-License-Identifier: BSD-2-Clause
// The end of a full search in one kernel: a thread per block where only the best vector is wanted, else a warp, which
// takes the best stretches and keeps the best candidates of them.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/full/stretch_selection.cuh"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

/// Measures the vectors of the stretch again and offers the best of them; up to 32 vectors at a time.
template <Metric metric>
__device__ void offer_stretch(const SearchTask& task, const WarpBlock<metric>& block, int x, const RowRun& stretch,
                              WarpList& list) {
    int parts = 1;
    while (parts < 32 && stretch.count * parts * 2 <= 32)
        parts *= 2;
    const int at_once = 32 / parts;
    for (int first = 0; first < stretch.count; first += at_once) {
        const int row = first + block.lane() / parts;
        const Position own{x, stretch.first_y + (row << task.grid_shift)};
        VectorKey key = no_vector_key;
        std::uint32_t share = 0;
        if (row < stretch.count) share = block.share(own, block.lane() % parts, parts);
        const std::uint32_t distortion = sum_of_shares(share, parts);
        if (row < stretch.count) key = vector_key(block.candidate(mv_of(task, own), distortion).cost, own.x, own.y);
        for (VectorKey best = least(key); best != no_vector_key; best = least(key)) {
            const Candidate candidate = candidate_of_key(task, block.predictor(), best);
            if (list.full() && !better(candidate, list.worst())) break;
            list.offer(candidate);
            if (key == best) key = no_vector_key;
        }
    }
}

template <Metric metric>
__device__ void offer_best(const SearchTask& task, const FullSearchLayout& layout, const WarpBlock<metric>& block,
                           WarpList& list) {
    const VectorKey* keys = keys_of(task, layout, block.column(), block.row());
    VectorKey key = 0;
    for (int i = 0; i < task.candidates; ++i) {
        key = next_key(task, layout, block.vectors(), keys, block.lane(), key, i > 0);
        if (key == no_vector_key) return;
        if (task.candidates == 1) {
            list.offer(candidate_of_key(task, block.predictor(), key));
        } else {
            const Position position = position_of_key(key);
            offer_stretch(task, block, position.x, stretch_of(task, layout, block.vectors(), position), list);
        }
    }
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 4) finish(const SearchTask task, const FullSearchLayout layout) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    finish_block(task, block, [&](WarpList& list) { offer_best(task, layout, block, list); });
}

constexpr int write_threads = 128;

__global__ void __launch_bounds__(write_threads) write_best(const SearchTask task, const FullSearchLayout layout) {
    const int block = static_cast<int>(blockIdx.x) * write_threads + static_cast<int>(threadIdx.x);
    if (block >= task.rows * task.columns) return;
    const Mv predictor = task.predictors == nullptr ? Mv{} : task.predictors[block];
    task.found[block] = candidate_of_key(task, predictor, layout.best[block]);
    layout.best[block] = no_vector_key;
}

} // namespace

void launch_write_best(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    const auto groups = static_cast<unsigned>((task.rows * task.columns + write_threads - 1) / write_threads);
    write_best<<<groups, write_threads, 0, stream>>>(task, layout);
    check_launch("writing what a full search found");
}

void launch_full_finish(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        finish<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
    });
    check_launch("the end of a full search");
}

} // namespace tandem::cuda
