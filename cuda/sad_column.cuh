// SPDX-License-Identifier: BSD-2-Clause
// What the kernels of full search by SAD share: which thread searches which column of vectors, the rate of its rows,
// and how its best vectors become keys.
//
// A SAD with its rate is below 2^24 for every block up to 128x128 and every lambda, so a cost times 256 with the rank
// of its row (RankedRows) in the low byte is one word, and the best vector of a column is a minimum of words. The cost
// times 256 comes for free: sad * 256 + lambda_q8 * bits has the cost of cost.h in its upper 24 bits.
#pragma once

#include "cuda/sad_sweep.cuh"
#include "cuda/search_geometry.cuh"

namespace tandem::cuda {

/// Of one row of vectors and one predictor.
struct RowRate {
    std::uint32_t rate_q8; ///< lambda_q8 * bits of the vertical component.
    std::uint32_t rank;
};

/// A thread's part: the vectors (x, first_y ...) of one block.
struct SadColumn {
    int block_column;
    BlockArea block;
    int x;          ///< Pels.
    int key_column; ///< Number of this column among those of the block.
    bool exists;    ///< The last threads repeat the last column and keep nothing.
};

/// The columns of vectors `first_lane .. first_lane + lanes - 1` of a row of blocks, and the rows of a chunk.
class SadColumns {
  public:
    __device__ SadColumns(const SearchTask& task, const FullSearchLayout& layout, int first_lane, int lanes)
        : task_(task), layout_(layout), block_row_(task.first_row + static_cast<int>(blockIdx.y)) {
        const VectorArea area = vector_area(task, block_area(task, 0, block_row_));
        const int chunk = static_cast<int>(blockIdx.z);
        first_y_ = area.min_y + chunk * layout.chunk_rows;
        count_ = min(layout.chunk_rows, area.max_y + 1 - first_y_);
        first_block_ = block_of_lane(layout.first_lane, task.columns, first_lane);
        const int last_lane = min(first_lane + lanes, layout.lanes) - 1;
        tables_ = task.predictors == nullptr
                      ? 1
                      : block_of_lane(layout.first_lane, task.columns, last_lane) - first_block_ + 1;
    }

    __device__ int count() const { return count_; }
    __device__ int first_y() const { return first_y_; }
    __device__ int block_row() const { return block_row_; }
    __device__ const SearchTask& task() const { return task_; }
    __device__ const FullSearchLayout& layout() const { return layout_; }

    __device__ void fill_rates(RowRate* rates, int thread, int threads) const {
        const RankedRows ranks(first_y_, count_);
        for (int i = thread; i < tables_ * count_; i += threads) {
            const int row = i % count_;
            const Mv predictor = predictor_of(task_, first_block_ + i / count_, block_row_);
            const int bits = component_bits((first_y_ + row) * eighths_per_pel - predictor.y, task_.rate_unit);
            rates[i] = {task_.lambda_q8 * static_cast<std::uint32_t>(bits),
                        static_cast<std::uint32_t>(ranks.rank(first_y_ + row))};
        }
    }

    __device__ const RowRate* rates_of(const RowRate* rates, const SadColumn& column) const {
        return tables_ == 1 ? rates : rates + (column.block_column - first_block_) * count_;
    }

    __device__ SadColumn column(int lane) const {
        SadColumn column;
        column.exists = lane < layout_.lanes;
        lane = min(lane, layout_.lanes - 1);
        column.block_column = block_of_lane(layout_.first_lane, task_.columns, lane);
        column.block = block_area(task_, column.block_column, block_row_);
        column.key_column = lane - __ldg(layout_.first_lane + column.block_column);
        column.x = vector_area(task_, column.block).min_x + column.key_column;
        return column;
    }

    __device__ std::uint32_t rate_q8(const SadColumn& column) const {
        const Mv predictor = predictor_of(task_, column.block_column, block_row_);
        const int bits = component_bits(column.x * eighths_per_pel - predictor.x, task_.rate_unit);
        return task_.lambda_q8 * static_cast<std::uint32_t>(bits);
    }

    /// The samples of the tile at (x, y) in the column's block, and where the chunk's first vector puts it.
    __device__ TileSource source(const SadColumn& column, int x, int y) const {
        const int left = column.block.x + x;
        const int top = column.block.y + y;
        const WordPlane& current = task_.current;
        const WordPlane& reference = task_.reference;
        return {current.origin + static_cast<std::ptrdiff_t>(top) * current.stride + left,
                reference.origin + static_cast<std::ptrdiff_t>(top + first_y_) * reference.stride + left + column.x,
                current.stride, reference.stride};
    }

    /// Where the column's key of the chunk's first cell goes.
    __device__ VectorKey* keys(const SadColumn& column) const {
        return keys_of(task_, layout_, column.block_column, block_row_) +
               static_cast<std::size_t>(blockIdx.z) * layout_.chunk_cells * layout_.key_columns + column.key_column;
    }

  private:
    const SearchTask& task_;
    const FullSearchLayout& layout_;
    int block_row_;
    int first_y_, count_;
    int first_block_;
    int tables_; ///< Of rates: one where all predictors are zero, else one per block.
};

/// Keeps the best of each cell of a column.
class ColumnKeys {
  public:
    /// Begins with the first row of a cell.
    __device__ ColumnKeys(const SadColumns& columns, const SadColumn& column, const RowRate* rates, int cell = 0)
        : cells_{columns.count(), columns.layout().cell_rows},
          rates_(columns.rates_of(rates, column) + cells_.first(cell)), rate_q8_(columns.rate_q8(column)), x_(column.x),
          exists_(column.exists), ranks_(columns.first_y(), columns.count()), next_end_(cells_.rows * (cell + 1)),
          key_columns_(columns.layout().key_columns), out_(columns.keys(column) + cell * key_columns_) {}

    __device__ void row(std::uint32_t sad) {
        const RowRate rate = *rates_++;
        const std::uint32_t cost_q8 = sad * 256 + rate_q8_ + rate.rate_q8;
        best_ = min(best_, (cost_q8 & 0xFFFFFF00u) | rate.rank);
    }

    __device__ void fourth_row(int done) {
        if (done != next_end_) return;
        next_end_ += cells_.rows;
        if (cells_.count - done >= CellRows::least_tail) finish();
    }

    __device__ void finish() {
        if (exists_) *out_ = vector_key(best_ >> 8, x_, ranks_.row(static_cast<int>(best_ & 0xFF)));
        out_ += key_columns_;
        best_ = 0xFFFFFFFFu;
    }

  private:
    CellRows cells_;
    const RowRate* rates_;
    std::uint32_t rate_q8_;
    int x_;
    bool exists_;
    RankedRows ranks_;
    int next_end_;
    int key_columns_;
    VectorKey* out_;
    std::uint32_t best_ = 0xFFFFFFFFu;
};

/// Shared memory for the rates of the columns that a block of threads searches.
inline std::size_t rates_bytes(const FullSearchLayout& layout) {
    return static_cast<std::size_t>(layout.rate_tables) * static_cast<std::size_t>(layout.chunk_rows) * sizeof(RowRate);
}

} // namespace tandem::cuda
