// SPDX-License-Identifier: BSD-2-Clause
// Full search by SAD for blocks of several tiles: a group of warps searches 32 columns of vectors; each warp takes its
// share of the block's tiles, and their SADs meet in shared memory.
#include "cuda/check.h"
#include "cuda/sad_column.cuh"

namespace tandem::cuda {

namespace {

constexpr int lanes = 32;
constexpr int most_warps = 8;

/// Adds a tile's SADs to those of the other tiles.
struct TileSums {
    std::uint32_t* sum;
    __device__ void row(std::uint32_t sad) {
        atomicAdd(sum, sad);
        sum += lanes;
    }
    __device__ void fourth_row(int) {}
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

template <int words, int rows>
__device__ void add_tile(const SadColumns& columns, const SadColumn& column, const TilePart& part, TileSums sums) {
    SadSweep<words, rows> sweep(columns.source(column, part.x, part.y));
    const bool whole = part.width == 4 * words && part.height == rows && columns.count() >= rows;
    if (__all_sync(0xFFFFFFFFu, whole)) {
        sweep.run_whole(columns.count(), sums);
    } else {
        sweep.run_cut(columns.count(), part.width, part.height, sums);
    }
}

/// A column's keys from its SADs; each warp takes its share of the cells.
__device__ void keep_cells(const SadColumns& columns, const SadColumn& column, const RowRate* rates,
                           const std::uint32_t* sums, int warp, int warps) {
    const CellRows cells{columns.count(), columns.layout().cell_rows};
    for (int cell = warp; cell < cells.cells(); cell += warps) {
        const int first = cells.first(cell);
        ColumnKeys keys(columns, column, rates, cell);
        for (int row = first; row < first + cells.rows_of(cell); ++row)
            keys.row(sums[row * lanes]);
        keys.finish();
    }
}

template <int words, int rows>
__global__ void __launch_bounds__(lanes* most_warps, 2)
    full_sad_tiles(const SearchTask task, const FullSearchLayout layout) {
    extern __shared__ RowRate rates[];
    auto* const sums = reinterpret_cast<std::uint32_t*>(rates + layout.rate_tables * layout.chunk_rows);
    const SadColumns columns(task, layout, static_cast<int>(blockIdx.x) * lanes, lanes);
    if (columns.count() <= 0) return;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const int warp = thread / lanes, warps = threads / lanes, lane = thread % lanes;
    columns.fill_rates(rates, thread, threads);
    for (int i = thread; i < columns.count() * lanes; i += threads)
        sums[i] = 0;
    __syncthreads();

    const SadColumn column = columns.column(static_cast<int>(blockIdx.x) * lanes + lane);
    const int tiles_across = (task.block_width + 4 * words - 1) / (4 * words);
    const int tiles_down = (column.block.height + rows - 1) / rows;
    for (int tile = warp; tile < tiles_across * tiles_down; tile += warps) {
        const TilePart part(column.block, words, rows, tile % tiles_across, tile / tiles_across);
        add_tile<words, rows>(columns, column, part, {sums + lane});
    }
    __syncthreads();
    keep_cells(columns, column, rates, sums + lane, warp, warps);
}

struct Variant {
    SadTile tile;
    void (*kernel)(SearchTask, FullSearchLayout);
};

constexpr Variant variants[] = {
    {{4, 16}, full_sad_tiles<4, 16>}, {{4, 8}, full_sad_tiles<4, 8>},   {{4, 4}, full_sad_tiles<4, 4>},
    {{2, 16}, full_sad_tiles<2, 16>}, {{1, 16}, full_sad_tiles<1, 16>},
};

} // namespace

void launch_full_sad_tiles(const SearchTask& task, const FullSearchLayout& layout, SadTile tile, cudaStream_t stream) {
    const int across = (task.block_width + 4 * tile.words - 1) / (4 * tile.words);
    const int down = (task.block_height + tile.rows - 1) / tile.rows;
    const dim3 grid(static_cast<unsigned>((layout.lanes + lanes - 1) / lanes), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(layout.key_rows / layout.chunk_cells));
    const int threads = lanes * min(across * down, most_warps);
    const std::size_t bytes =
        rates_bytes(layout) + static_cast<std::size_t>(layout.chunk_rows) * lanes * sizeof(std::uint32_t);
    for (const Variant& variant : variants) {
        if (variant.tile.words != tile.words || variant.tile.rows != tile.rows) continue;
        variant.kernel<<<grid, threads, bytes, stream>>>(task, layout);
    }
    check_launch("full search of large blocks");
}

} // namespace tandem::cuda
