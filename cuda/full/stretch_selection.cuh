// SPDX-License-Identifier: BSD-2-Clause
// The best stretches of a full search. The K best candidates lie in the K stretches with the best keys: any other
// stretch's best is beaten by the bests of K others.
#pragma once

#include "cuda/walk/warp_block.cuh"
#include "cuda/warp_reduction.cuh"

namespace tandem::cuda {

/// The stretch that holds a position of a block's window.
__device__ inline RowRun stretch_of(const SearchTask& task, const FullSearchLayout& layout, const VectorArea& area,
                                    Position position) {
    const int distance = position.y - area.min_y;
    const int fraction = distance & (task.grid() - 1), row = distance >> task.grid_shift;
    const RowRun chunk = chunk_of(task, layout, area, fraction * layout.chunks + row / layout.chunk_rows);
    const StretchRows stretches{chunk.count, layout.stretch_rows};
    const int stretch = stretches.stretch_of(row % layout.chunk_rows);
    return {chunk.first_y + (stretches.first(stretch) << task.grid_shift), stretches.rows_of(stretch)};
}

/// Calls see(key) for each of a lane's share of the keys of all of a block's stretches.
template <class See>
__device__ void for_keys_of_lane(const SearchTask& task, const FullSearchLayout& layout, const VectorArea& area,
                                 const VectorKey* keys, int lane, See see) {
    const int width = area.width();
    for (int chunk = 0; chunk < task.grid() * layout.chunks; ++chunk) {
        const StretchRows stretches{chunk_of(task, layout, area, chunk).count, layout.stretch_rows};
        if (stretches.count <= 0) continue;
        const VectorKey* row = keys + static_cast<std::size_t>(chunk) * layout.chunk_stretches * layout.key_columns;
        for (int stretch = 0; stretch < stretches.stretches(); ++stretch, row += layout.key_columns) {
#pragma unroll 4
            for (int x = lane; x < width; x += 32)
                see(row[x]);
        }
    }
}

/// The least key of all of a block's stretches that is greater than `previous` (or the least of all), found by a warp.
__device__ inline VectorKey next_key(const SearchTask& task, const FullSearchLayout& layout, const VectorArea& area,
                                     const VectorKey* keys, int lane, VectorKey previous, bool has_previous) {
    VectorKey best = no_vector_key;
    for_keys_of_lane(task, layout, area, keys, lane, [&](VectorKey key) {
        if ((!has_previous || key > previous) && key < best) best = key;
    });
    return least(best);
}

/// Forces zero and the predictor in, applies the null rules and writes the block's slots. `offer_found` offers what the
/// search found to the list; it is not called where zero is good enough.
template <Metric metric, class OfferFound>
__device__ void finish_block(const SearchTask& task, const WarpBlock<metric>& block, OfferFound offer_found) {
    WarpList list(task.candidates, block.lane());
    if (task.candidates == 1 && !prefers_zero(task)) {
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
    const bool has_predicted = block.has_predicted();
    block.store(zero, has_predicted, has_predicted ? block.measure(block.predicted()) : zero, list);
}

} // namespace tandem::cuda
