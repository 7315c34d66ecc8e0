// SPDX-License-Identifier: BSD-2-Clause
// The best cells of a full search. The K best candidates lie in the K cells with the best keys: any other cell's best
// is beaten by the bests of K others.
#pragma once

#include "cuda/warp_block.cuh"

namespace tandem::cuda {

/// The least key of a warp, in all lanes.
__device__ inline VectorKey least(VectorKey key) {
    const auto high = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t least_high = __reduce_min_sync(whole_warp, high);
    const std::uint32_t low = high == least_high ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu;
    return static_cast<VectorKey>(least_high) << 32 | __reduce_min_sync(whole_warp, low);
}

/// The rows first_y .. first_y + rows - 1 of a column of vectors.
struct Cell {
    int first_y, rows;
};

/// The cell that holds a vector of a block's window.
__device__ inline Cell cell_of(const FullSearchLayout& layout, const VectorArea& area, PelVector vector) {
    const int row = vector.y - area.min_y;
    const int first = row / layout.chunk_rows * layout.chunk_rows;
    const CellRows cells{min(layout.chunk_rows, area.height() - first), layout.cell_rows};
    const int cell = cells.cell_of(row - first);
    return {area.min_y + first + cells.first(cell), cells.rows_of(cell)};
}

/// The least key of all of a block's cells that is greater than `previous` (or the least of all), found by a warp.
__device__ inline VectorKey next_key(const FullSearchLayout& layout, const VectorArea& area, const VectorKey* keys,
                                     int lane, VectorKey previous, bool has_previous) {
    VectorKey best = no_vector_key;
    const int height = area.height(), width = area.width();
    for (int first = 0, chunk = 0; first < height; first += layout.chunk_rows, ++chunk) {
        const CellRows cells{min(layout.chunk_rows, height - first), layout.cell_rows};
        for (int cell = 0; cell < cells.cells(); ++cell) {
            const std::size_t key_row = static_cast<std::size_t>(chunk) * layout.chunk_cells + cell;
            const VectorKey* row = keys + key_row * layout.key_columns;
#pragma unroll 4
            for (int x = lane; x < width; x += 32) {
                const VectorKey key = row[x];
                if ((!has_previous || key > previous) && key < best) best = key;
            }
        }
    }
    return least(best);
}

/// Forces zero and the predictor in, applies the null rules and writes the block's slots. `offer_found` offers what the
/// search found to the list; it is not called where zero is good enough.
template <Metric metric, class OfferFound>
__device__ void finish_block(const SearchTask& task, const WarpBlock<metric>& block, OfferFound offer_found) {
    WarpList list(task.candidates, block.lane());
    if (task.candidates == 1 && task.null_threshold == 0 && task.null_gain == 0) {
        offer_found(list);
        list.store(block.slots());
        return;
    }
    const Candidate zero = block.measure({0, 0});
    if (block.settled(zero)) {
        list.offer(zero);
        block.store(zero, false, zero, list);
        return;
    }
    offer_found(list);
    const PelVector predicted = block.whole_predictor();
    const bool is_other = (predicted.x != 0 || predicted.y != 0) && block.vectors().contains(predicted.x, predicted.y);
    block.store(zero, is_other, is_other ? block.measure(predicted) : zero, list);
}

} // namespace tandem::cuda
