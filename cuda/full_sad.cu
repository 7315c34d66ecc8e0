// SPDX-License-Identifier: BSD-2-Clause
// Full search by SAD for blocks of at most one tile. The columns of vectors of all blocks of a row of blocks stand side
// by side, a thread each, so that no lane idles whatever the range.
#include "cuda/check.h"
#include "cuda/sad_column.cuh"

namespace tandem::cuda {

namespace {

constexpr int threads = full_search_lanes;

/// Groups of threads on a multiprocessor, by what the tile needs of its registers.
constexpr int resident_groups(int words, int rows) { return words * rows >= 64 ? 4 : words * rows >= 32 ? 6 : 8; }

template <int words, int rows>
__global__ void __launch_bounds__(threads, resident_groups(words, rows))
    full_sad(const SearchTask task, const FullSearchLayout layout) {
    extern __shared__ RowRate rates[];
    const SadColumns columns(task, layout, static_cast<int>(blockIdx.x) * threads, threads);
    if (columns.count() <= 0) return;
    columns.fill_rates(rates, static_cast<int>(threadIdx.x), threads);
    __syncthreads();

    const SadColumn column = columns.column(static_cast<int>(blockIdx.x * threads + threadIdx.x));
    ColumnKeys keys(columns, column, rates);
    SadSweep<words, rows> sweep(columns.source(column, 0, 0));
    const bool whole = column.block.width == 4 * words && column.block.height == rows && columns.count() >= rows;
    if (__all_sync(0xFFFFFFFFu, whole)) {
        sweep.run_whole(columns.count(), keys);
    } else {
        sweep.run_cut(columns.count(), column.block.width, column.block.height, keys);
    }
    keys.finish();
}

struct Variant {
    SadTile tile;
    void (*kernel)(SearchTask, FullSearchLayout);
};

constexpr Variant variants[] = {
    {{4, 16}, full_sad<4, 16>}, {{4, 8}, full_sad<4, 8>}, {{4, 4}, full_sad<4, 4>},
    {{2, 16}, full_sad<2, 16>}, {{2, 8}, full_sad<2, 8>}, {{2, 4}, full_sad<2, 4>},
    {{1, 16}, full_sad<1, 16>}, {{1, 8}, full_sad<1, 8>}, {{1, 4}, full_sad<1, 4>},
};

} // namespace

void launch_full_sad(const SearchTask& task, const FullSearchLayout& layout, SadTile tile, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((layout.lanes + threads - 1) / threads), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(layout.key_rows / layout.chunk_cells));
    for (const Variant& variant : variants) {
        if (variant.tile.words != tile.words || variant.tile.rows != tile.rows) continue;
        variant.kernel<<<grid, threads, rates_bytes(layout), stream>>>(task, layout);
    }
    check_launch("full search");
}

} // namespace tandem::cuda
