// SPDX-License-Identifier: BSD-2-Clause
// Full search by SATD and by zero-mean SAD for any block, a thread per stretch of vectors: plain, and the slower for
// it.
#include "cuda/device/check.h"
#include "cuda/full/block_distortion.cuh"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

constexpr int threads = full_search_workspaces;

template <Metric metric>
__global__ void __launch_bounds__(threads, 5) full_any(const SearchTask task, const FullSearchLayout layout) {
    const int thread = static_cast<int>(blockIdx.x * threads + threadIdx.x);
    if (thread >= layout.thread_count) return;
    const int block_row = task.first_row + static_cast<int>(blockIdx.y);
    const std::uint32_t place = __ldg(layout.thread_places + thread);
    const auto column = static_cast<int>(place >> place_column_bits);
    const BlockArea block = block_area(task, column, block_row);
    const VectorArea area = vector_area(task, block);
    const int key_row = static_cast<int>(blockIdx.z), stretch = key_row % layout.chunk_stretches;
    const RowRun chunk = chunk_of(task, layout, area, key_row / layout.chunk_stretches);
    const StretchRows stretches{chunk.count, layout.stretch_rows};
    if (stretches.count <= 0 || stretch >= stretches.stretches()) return;

    const auto key_column = static_cast<int>(place & ((1u << place_column_bits) - 1));
    const Mv predictor = predictor_of(task, column, block_row);
    const WholeSamples current(task.current, block.x, block.y);
    VectorKey best = no_vector_key;
    for (int row = stretches.first(stretch), end = row + stretches.rows_of(stretch); row < end; ++row) {
        const Position position{area.min_x + key_column, chunk.first_y + (row << task.grid_shift)};
        const WholeSamples reference(reference_at(task, block.x, block.y, position), task.reference.whole.stride);
        const std::uint32_t distortion =
            share_of_distortion<metric>(current, reference, block.width, block.height, 0, 1);
        const std::uint32_t cost = candidate_of(task, mv_of(task, position), predictor, distortion).cost;
        best = min(best, vector_key(cost, position.x, position.y));
    }
    keys_of(task, layout, column, block_row)[static_cast<std::size_t>(key_row) * layout.key_columns + key_column] =
        best;
}

} // namespace

void launch_full_any(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((layout.thread_count + threads - 1) / threads),
                    static_cast<unsigned>(task.rows), static_cast<unsigned>(layout.key_rows));
    auto* const kernel = task.metric == Metric::zsad ? full_any<Metric::zsad> : full_any<Metric::satd>;
    kernel<<<grid, threads, 0, stream>>>(task, layout);
    check_launch("full search of any block");
}

} // namespace tandem::cuda
