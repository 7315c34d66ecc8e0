// SPDX-License-Identifier: BSD-2-Clause
// Full search for blocks of at most one tile. The columns of vectors of all blocks of a row of blocks stand side by
// side, a thread each, so that no lane idles whatever the range.
#pragma once

#include "cuda/device/check.h"
#include "cuda/full/sweep_columns.cuh"
#include "cuda/full/sweep_variants.h"
#include "cuda/kernels.h"

namespace tandem::cuda {

/// Groups of threads on a multiprocessor, by what the tile needs of its registers: some more where the packed
/// difference is emulated (add_absolute_differences()).
constexpr int resident_groups(int words, int rows) {
#if __CUDA_ARCH__ >= 1200
    return words * rows >= 64 ? 3 : words * rows >= 16 ? 4 : words * rows >= 8 ? 6 : 8;
#else
    return words * rows >= 64 ? 4 : words * rows >= 16 ? 5 : 8;
#endif
}

template <Metric metric, int words, int rows>
__global__ void __launch_bounds__(full_search_workspaces, resident_groups(words, rows))
    full_sweep(const SearchTask task, const FullSearchLayout layout) {
    extern __shared__ uint4 shared[];
    const RowTables<metric> tables(shared, layout);
    const int first_thread = static_cast<int>(blockIdx.x) * full_search_workspaces;
    const SweepColumns columns(task, layout, first_thread, full_search_workspaces);
    if (columns.count() <= 0) return;
    const SweepColumn column = columns.column(first_thread + static_cast<int>(threadIdx.x));
    BlockSweep<metric, words, rows> sweep(columns.source(column, 0, 0));
    columns.fill(tables, static_cast<int>(threadIdx.x), full_search_workspaces);
    __syncthreads();

    ColumnKeys<metric> keys(columns, column, tables);
    const bool whole = column.block.width == 4 * words && column.block.height == rows && columns.count() >= rows;
    if (__all_sync(0xFFFFFFFFu, whole)) {
        sweep.run_whole(columns.count(), keys);
    } else {
        sweep.run_cut(columns.count(), column.block.width, column.block.height, keys);
    }
    if (layout.settles) {
        columns.settle(column, keys.key());
    } else {
        keys.store();
    }
}

template <Metric metric>
constexpr SweepVariant<void(SearchTask, FullSearchLayout)> full_sweep_variants[] = {
    {{4, 16}, full_sweep<metric, 4, 16>}, {{4, 8}, full_sweep<metric, 4, 8>}, {{4, 4}, full_sweep<metric, 4, 4>},
    {{2, 16}, full_sweep<metric, 2, 16>}, {{2, 8}, full_sweep<metric, 2, 8>}, {{2, 4}, full_sweep<metric, 2, 4>},
    {{1, 16}, full_sweep<metric, 1, 16>}, {{1, 8}, full_sweep<metric, 1, 8>}, {{1, 4}, full_sweep<metric, 1, 4>},
};

template <Metric metric>
void launch_full_sweep_by(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, cudaStream_t stream) {
    const int groups = (layout.thread_count + full_search_workspaces - 1) / full_search_workspaces;
    const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(task.grid() * layout.chunks));
    auto* const kernel = kernel_of_tile(full_sweep_variants<metric>, tile);
    kernel<<<grid, full_search_workspaces, row_table_bytes<metric>(layout), stream>>>(task, layout);
    check_launch("full search");
}

} // namespace tandem::cuda
