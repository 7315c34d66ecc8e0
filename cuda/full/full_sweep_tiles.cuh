// SPDX-License-Identifier: BSD-2-Clause
// Full search for blocks of several tiles: a group of warps searches 32 columns of vectors; each warp takes its share
// of the block's tiles, and their distortions meet in shared memory.
#pragma once

#include "cuda/device/check.h"
#include "cuda/full/sweep_columns.cuh"
#include "cuda/full/sweep_variants.h"
#include "cuda/kernels.h"

namespace tandem::cuda {

// A kernel's own copy of its parameters is a tenth faster than reading them where the launch put them, but up to sm_80
// it takes registers that are not there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ <= 800
#define TANDEM_TILES_PARAMETER __grid_constant__
#else
#define TANDEM_TILES_PARAMETER
#endif

/// Adds a tile's distortions to those of the other tiles.
struct TileSums {
    std::uint32_t* sum;
    __device__ void row(std::uint32_t distortion) {
        atomicAdd(sum, distortion);
        sum += several_tiles_lanes;
    }
    __device__ void rows_done(int) {}
};

/// The part of a block that one of its tiles covers; nothing where the block is cut before it.
struct TilePart {
    int x, y, width, height;

    __device__ TilePart(const BlockArea& block, int words, int rows, int column, int row)
        : x(4 * words * column), y(rows * row), width(min(4 * words, block.width - x)),
          height(min(rows, block.height - y)) {
        if (width <= 0) x = width = 0;
    }
};

template <Metric metric, int words, int rows>
__device__ void add_tile(const SweepColumns& columns, const SweepColumn& column, const TilePart& part, TileSums sums) {
    BlockSweep<metric, words, rows> sweep(columns.source(column, part.x, part.y));
    const bool whole = part.width == 4 * words && part.height == rows && columns.count() >= rows;
    if (__all_sync(0xFFFFFFFFu, whole)) {
        sweep.run_whole(columns.count(), sums);
    } else {
        sweep.run_cut(columns.count(), part.width, part.height, sums);
    }
}

/// A column's keys from its distortions; each warp takes its share of the stretches.
template <Metric metric>
__device__ void keep_stretches(const SweepColumns& columns, const SweepColumn& column, const RowTables<metric>& tables,
                               const std::uint32_t* sums, int warp, int warps) {
    const StretchRows stretches{columns.count(), columns.layout().stretch_rows};
    for (int stretch = warp; stretch < stretches.stretches(); stretch += warps) {
        const int first = stretches.first(stretch);
        ColumnKeys<metric> keys(columns, column, tables, stretch);
        for (int row = first; row < first + stretches.rows_of(stretch); ++row)
            keys.row(sums[row * several_tiles_lanes]);
        if (columns.layout().settles) {
            columns.settle(column, keys.key());
        } else {
            keys.store();
        }
    }
}

template <Metric metric, int words, int rows>
__global__ void __launch_bounds__(several_tiles_lanes* several_tiles_warps, 2)
    full_sweep_tiles(const TANDEM_TILES_PARAMETER SearchTask task,
                     const TANDEM_TILES_PARAMETER FullSearchLayout layout) {
    extern __shared__ uint4 shared[];
    auto* const sums = reinterpret_cast<std::uint32_t*>(shared);
    const RowTables<metric> tables(sums + layout.chunk_rows * several_tiles_lanes, layout);
    constexpr int lanes = several_tiles_lanes;
    const SweepColumns columns(task, layout, static_cast<int>(blockIdx.x) * lanes, lanes);
    if (columns.count() <= 0) return;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const int warp = thread / lanes, warps = threads / lanes, lane = thread % lanes;
    columns.fill(tables, thread, threads);
    for (int i = thread; i < columns.count() * lanes; i += threads)
        sums[i] = 0;
    __syncthreads();

    const SweepColumn column = columns.column(static_cast<int>(blockIdx.x) * lanes + lane);
    const int tiles_across = (task.block_width + 4 * words - 1) / (4 * words);
    const int tiles_down = (column.block.height + rows - 1) / rows;
    for (int tile = warp; tile < tiles_across * tiles_down; tile += warps) {
        const TilePart part(column.block, words, rows, tile % tiles_across, tile / tiles_across);
        add_tile<metric, words, rows>(columns, column, part, {sums + lane});
    }
    __syncthreads();
    keep_stretches<metric>(columns, column, tables, sums + lane, warp, warps);
}

template <Metric metric>
constexpr SweepVariant<void(SearchTask, FullSearchLayout)> full_sweep_tiles_variants[] = {
    {{4, 16}, full_sweep_tiles<metric, 4, 16>}, {{4, 8}, full_sweep_tiles<metric, 4, 8>},
    {{4, 4}, full_sweep_tiles<metric, 4, 4>},   {{2, 16}, full_sweep_tiles<metric, 2, 16>},
    {{1, 16}, full_sweep_tiles<metric, 1, 16>},
};

template <Metric metric>
void launch_full_sweep_tiles_by(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, int warps,
                                cudaStream_t stream) {
    const int groups = (layout.thread_count + several_tiles_lanes - 1) / several_tiles_lanes;
    const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(task.grid() * layout.chunks));
    const std::size_t bytes = row_table_bytes<metric>(layout) +
                              static_cast<std::size_t>(layout.chunk_rows) * several_tiles_lanes * sizeof(std::uint32_t);
    auto* const kernel = kernel_of_tile(full_sweep_tiles_variants<metric>, tile);
    kernel<<<grid, static_cast<unsigned>(several_tiles_lanes * warps), bytes, stream>>>(task, layout);
    check_launch("full search of large blocks");
}

} // namespace tandem::cuda

#undef TANDEM_TILES_PARAMETER
