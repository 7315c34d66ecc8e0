// SPDX-License-Identifier: BSD-2-Clause
// The end of a full search: a warp per block takes the best cells and keeps the best candidates of them.
//
// The K best candidates lie in the K cells with the best keys: any other cell's best is beaten by the bests of K
// others.
#include "cuda/check.h"
#include "cuda/warp_block.cuh"

namespace tandem::cuda {

namespace {

__device__ VectorKey least(VectorKey key) {
    const auto high = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t least_high = __reduce_min_sync(whole_warp, high);
    const std::uint32_t low = high == least_high ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu;
    return static_cast<VectorKey>(least_high) << 32 | __reduce_min_sync(whole_warp, low);
}

/// A cell that holds a vector: its rows are first_y .. first_y + rows - 1.
struct Cell {
    int first_y, rows;
};

template <Metric metric> class CellSelection {
  public:
    __device__ CellSelection(const SearchTask& task, const FullSearchLayout& layout, const WarpBlock<metric>& block)
        : layout_(layout), block_(block), keys_(keys_of(task, layout, block.column(), block.row())) {}

    /// The least key of all cells that is greater than `previous` (or the least of all).
    __device__ VectorKey next(VectorKey previous, bool has_previous) const {
        VectorKey best = no_vector_key;
        const int height = block_.vectors().height();
        const int width = block_.vectors().width();
        for (int first = 0, chunk = 0; first < height; first += layout_.chunk_rows, ++chunk) {
            const CellRows cells{min(layout_.chunk_rows, height - first), layout_.cell_rows};
            for (int cell = 0; cell < cells.cells(); ++cell) {
                const std::size_t key_row = static_cast<std::size_t>(chunk) * layout_.chunk_cells + cell;
                const VectorKey* row = keys_ + key_row * layout_.key_columns;
                for (int x = block_.lane(); x < width; x += 32) {
                    const VectorKey key = row[x];
                    if ((!has_previous || key > previous) && key < best) best = key;
                }
            }
        }
        return least(best);
    }

    __device__ Cell cell_of(PelVector vector) const {
        const int row = vector.y - block_.vectors().min_y;
        const int first = row / layout_.chunk_rows * layout_.chunk_rows;
        const CellRows cells{min(layout_.chunk_rows, block_.vectors().height() - first), layout_.cell_rows};
        const int cell = cells.cell_of(row - first);
        return {block_.vectors().min_y + first + cells.first(cell), cells.rows_of(cell)};
    }

  private:
    const FullSearchLayout& layout_;
    const WarpBlock<metric>& block_;
    const VectorKey* keys_;
};

/// The cost never saturates: 128 * 128 * 255^2 and the dearest rate are less than 2^31 together.
template <Metric metric>
__device__ Candidate candidate_of_key(const SearchTask& task, const WarpBlock<metric>& block, VectorKey key) {
    const Mv mv = mv_of(vector_of_key(key));
    const std::uint32_t rate = rate_of(vector_bits(mv, block.predictor(), task.rate_unit), task.lambda_q8);
    return {mv, cost_of_key(key) - rate, cost_of_key(key)};
}

/// Measures the vectors of the cell again and offers the best of them; up to 32 vectors at a time.
template <Metric metric>
__device__ void offer_cell(const SearchTask& task, const WarpBlock<metric>& block, int x, const Cell& cell,
                           WarpList& list) {
    int parts = 1;
    while (parts < 32 && cell.rows * parts * 2 <= 32)
        parts *= 2;
    const int at_once = 32 / parts;
    for (int first = 0; first < cell.rows; first += at_once) {
        const int row = first + block.lane() / parts;
        const int y = cell.first_y + row;
        VectorKey key = no_vector_key;
        std::uint32_t share = 0;
        if (row < cell.rows) share = block.share({x, y}, block.lane() % parts, parts);
        const std::uint32_t distortion = sum_of_shares(share, parts);
        if (row < cell.rows) key = vector_key(block.candidate(mv_from_pels(x, y), distortion).cost, x, y);
        for (VectorKey best = least(key); best != no_vector_key; best = least(key)) {
            const Candidate candidate = candidate_of_key(task, block, best);
            if (list.full() && !better(candidate, list.worst())) break;
            list.offer(candidate);
            if (key == best) key = no_vector_key;
        }
    }
}

template <Metric metric>
__device__ void offer_best(const SearchTask& task, const FullSearchLayout& layout, const WarpBlock<metric>& block,
                           WarpList& list) {
    const CellSelection<metric> cells(task, layout, block);
    VectorKey key = 0;
    for (int i = 0; i < task.candidates; ++i) {
        key = cells.next(key, i > 0);
        if (key == no_vector_key) return;
        const PelVector vector = vector_of_key(key);
        if (task.candidates == 1) {
            list.offer(candidate_of_key(task, block, key));
        } else {
            offer_cell(task, block, vector.x, cells.cell_of(vector), list);
        }
    }
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5) finish(const SearchTask task, const FullSearchLayout layout) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    WarpList list(task.candidates, block.lane());
    if (task.candidates == 1 && task.null_threshold == 0 && task.null_gain == 0) {
        offer_best(task, layout, block, list);
        list.store(block.slots());
        return;
    }
    const Candidate zero = block.measure({0, 0});
    if (block.settled(zero)) {
        list.offer(zero);
        block.store(zero, false, zero, list);
        return;
    }
    offer_best(task, layout, block, list);
    const PelVector predicted = block.whole_predictor();
    const bool is_other = (predicted.x != 0 || predicted.y != 0) && block.vectors().contains(predicted.x, predicted.y);
    block.store(zero, is_other, is_other ? block.measure(predicted) : zero, list);
}

} // namespace

void launch_full_finish(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    switch (task.metric) {
    case Metric::sad:
        finish<Metric::sad><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
        break;
    case Metric::ssd:
        finish<Metric::ssd><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
        break;
    case Metric::satd:
        finish<Metric::satd><<<groups, warp_kernel_threads, 0, stream>>>(task, layout);
        break;
    }
    check_launch("the end of a full search");
}

} // namespace tandem::cuda
