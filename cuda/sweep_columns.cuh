// SPDX-License-Identifier: BSD-2-Clause
// What the kernels of full search by sweeps share: which thread searches which column of vectors, the rate of its rows,
// and how its best vectors become keys.
#pragma once

#include "cuda/block_sweep.cuh"
#include "cuda/search_geometry.cuh"

namespace tandem::cuda {

/// Of one row of vectors and one predictor.
struct RowRate {
    std::uint32_t rate_q8; ///< lambda_q8 * bits of the vertical component.
    std::uint32_t rank;
};

/// What a group of threads shares about the rows of its chunk, in shared memory: rates, a table for each predictor, and
/// the row of each rank.
struct RowTables {
    RowRate* rates;
    std::uint8_t* row_of_rank;

    __device__ RowTables(void* memory, const FullSearchLayout& layout)
        : rates(static_cast<RowRate*>(memory)),
          row_of_rank(reinterpret_cast<std::uint8_t*>(rates + layout.rate_tables * layout.chunk_rows)) {}
};

/// Bytes of that, a multiple of 16.
inline std::size_t row_table_bytes(const FullSearchLayout& layout) {
    const auto rows = static_cast<std::size_t>(layout.chunk_rows);
    return (static_cast<std::size_t>(layout.rate_tables) * rows * sizeof(RowRate) + rows + 15) / 16 * 16;
}

/// A thread's part: the vectors of one column of one block.
struct SweepColumn {
    int block_column;
    BlockArea block;
    int x;          ///< Position.
    int key_column; ///< Number of this column among those of the block.
    bool exists;    ///< The last threads repeat the last column and keep nothing.
};

/// The columns of vectors `first_lane .. first_lane + lanes - 1` of a row of blocks, and the rows of a chunk. The
/// groups that start first have the lowest row of blocks, since cut blocks take longest.
class SweepColumns {
  public:
    __device__ SweepColumns(const SearchTask& task, const FullSearchLayout& layout, int first_lane, int lanes)
        : task_(task), layout_(layout), first_lane_(first_lane), lanes_(lanes),
          block_row_(task.first_row + task.rows - 1 - static_cast<int>(blockIdx.y)),
          chunk_(chunk_of(task, layout, vector_area(task, block_area(task, 0, block_row_)),
                          static_cast<int>(blockIdx.z))) {}

    __device__ int count() const { return chunk_.count; }
    /// Position of a row of the chunk.
    __device__ int y_of(int row) const { return chunk_.first_y + (row << task_.grid_shift); }
    __device__ const FullSearchLayout& layout() const { return layout_; }

    __device__ void fill(const RowTables& tables, int thread, int threads) const {
        const int first = first_block(), blocks = task_.predictors == nullptr ? 1 : last_block() - first + 1;
        const RankedRows ranks{chunk_.first_y, task_.grid_shift, chunk_.count};
        for (int row = thread; row < chunk_.count; row += threads) {
            const int rank = ranks.rank(y_of(row));
            tables.row_of_rank[rank] = static_cast<std::uint8_t>(row);
            for (int block = 0; block < blocks; ++block) {
                const Mv predictor = predictor_of(task_, first + block, block_row_);
                const int bits = bits_of_component(y_of(row) * task_.step() - predictor.y, task_.rate_shift);
                tables.rates[block * chunk_.count + row] = {task_.lambda_q8 * static_cast<std::uint32_t>(bits),
                                                            static_cast<std::uint32_t>(rank)};
            }
        }
    }

    __device__ const RowRate* rates_of(const RowTables& tables, const SweepColumn& column) const {
        if (task_.predictors == nullptr) return tables.rates;
        return tables.rates + (column.block_column - first_block()) * chunk_.count;
    }

    __device__ SweepColumn column(int lane) const {
        const std::uint32_t place = __ldg(layout_.lanes + min(lane, layout_.lane_count - 1));
        SweepColumn column;
        column.exists = lane < layout_.lane_count;
        column.block_column = static_cast<int>(place >> lane_column_bits);
        column.key_column = static_cast<int>(place & ((1u << lane_column_bits) - 1));
        column.block = block_area(task_, column.block_column, block_row_);
        column.x = vector_area(task_, column.block).min_x + column.key_column;
        return column;
    }

    __device__ Mv predictor(const SweepColumn& column) const {
        return predictor_of(task_, column.block_column, block_row_);
    }
    __device__ std::uint32_t rate_q8(const SweepColumn& column) const {
        const int bits = bits_of_component(column.x * task_.step() - predictor(column).x, task_.rate_shift);
        return task_.lambda_q8 * static_cast<std::uint32_t>(bits);
    }

    /// The samples of the tile at (x, y) in the column's block, and where the chunk's first vector puts it.
    __device__ TileSource source(const SweepColumn& column, int x, int y) const {
        return tile_source(task_, column.block.x + x, column.block.y + y, {column.x, chunk_.first_y});
    }

    /// Where the column's key of the chunk's first cell goes.
    __device__ VectorKey* keys(const SweepColumn& column) const {
        return keys_of(task_, layout_, column.block_column, block_row_) +
               static_cast<std::size_t>(blockIdx.z) * layout_.chunk_cells * layout_.key_columns + column.key_column;
    }

    /// Where the layout settles: the key of each cell competes with those of its block. All lanes of the warp call
    /// this.
    __device__ void settle(const SweepColumn& column, VectorKey key) const {
        const unsigned whole = 0xFFFFFFFFu;
        const unsigned group = __match_any_sync(whole, column.exists ? column.block_column : -1);
        const std::uint32_t cost = __reduce_min_sync(group, cost_of_key(key));
        const std::uint32_t tie =
            __reduce_min_sync(group, cost_of_key(key) == cost ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu);
        const int lane = static_cast<int>(threadIdx.x % 32);
        if (!column.exists || lane != __ffs(static_cast<int>(group)) - 1) return;
        atomicMin(layout_.best + block_number(task_, column.block_column, block_row_),
                  static_cast<VectorKey>(cost) << 32 | tie);
    }

  private:
    __device__ int first_block() const {
        return static_cast<int>(__ldg(layout_.lanes + first_lane_) >> lane_column_bits);
    }
    __device__ int last_block() const {
        const int last = min(first_lane_ + lanes_, layout_.lane_count) - 1;
        return static_cast<int>(__ldg(layout_.lanes + last) >> lane_column_bits);
    }

    const SearchTask& task_;
    const FullSearchLayout& layout_;
    int first_lane_, lanes_;
    int block_row_;
    RowRun chunk_;
};

/// A SAD with its rate is below 2^24 for every block up to 128x128 and every lambda, so a cost times 256 with the rank
/// of its row (RankedRows) in the low byte is one word, and the best vector of a column is a minimum of words. The cost
/// times 256 comes for free: sad * 256 + lambda_q8 * bits has the cost of cost.h in its upper 24 bits.
class PackedBest {
  public:
    __device__ void take(std::uint32_t sad, std::uint32_t column_rate_q8, const RowRate& rate) {
        const std::uint32_t cost_q8 = sad * 256 + column_rate_q8 + rate.rate_q8;
        best_ = min(best_, (cost_q8 & 0xFFFFFF00u) | rate.rank);
    }
    __device__ std::uint32_t cost() const { return best_ >> 8; }
    __device__ int rank() const { return static_cast<int>(best_ & 0xFF); }

  private:
    std::uint32_t best_ = 0xFFFFFFFFu;
};

/// The same for distortions of up to 31 bits with their rate.
class WideBest {
  public:
    __device__ void take(std::uint32_t distortion, std::uint32_t column_rate_q8, const RowRate& rate) {
        const std::uint32_t cost = distortion + ((column_rate_q8 + rate.rate_q8) >> 8);
        best_ = min(best_, static_cast<VectorKey>(cost) << 32 | rate.rank);
    }
    __device__ std::uint32_t cost() const { return cost_of_key(best_); }
    __device__ int rank() const { return static_cast<int>(best_ & 0xFF); }

  private:
    VectorKey best_ = no_vector_key;
};

template <Metric metric> struct BestOf;
template <> struct BestOf<Metric::sad> { using Type = PackedBest; };
template <> struct BestOf<Metric::ssd> { using Type = WideBest; };

/// Keeps the best of each cell of a column.
template <Metric metric> class ColumnKeys {
  public:
    /// Begins with the first row of a cell.
    __device__ ColumnKeys(const SweepColumns& columns, const SweepColumn& column, const RowTables& tables, int cell = 0)
        : columns_(columns), row_of_rank_(tables.row_of_rank), cells_{columns.count(), columns.layout().cell_rows},
          rates_(columns.rates_of(tables, column) + cells_.first(cell)), rate_q8_(columns.rate_q8(column)),
          x_(column.x), exists_(column.exists), next_end_(cells_.rows * (cell + 1)),
          key_columns_(columns.layout().key_columns), out_(columns.keys(column) + cell * key_columns_) {}

    __device__ void row(std::uint32_t distortion) {
        best_.take(distortion, rate_q8_, *rates_);
        ++rates_;
    }

    __device__ void rows_done(int done) {
        if (done != next_end_) return;
        next_end_ += cells_.rows;
        if (cells_.count - done >= CellRows::least_tail) store();
    }

    /// Of the cell under way.
    __device__ VectorKey key() const { return vector_key(best_.cost(), x_, columns_.y_of(row_of_rank_[best_.rank()])); }

    __device__ void store() {
        if (exists_) *out_ = key();
        out_ += key_columns_;
        best_ = {};
    }

  private:
    const SweepColumns& columns_;
    const std::uint8_t* row_of_rank_;
    CellRows cells_;
    const RowRate* rates_;
    std::uint32_t rate_q8_;
    int x_;
    bool exists_;
    int next_end_;
    int key_columns_;
    VectorKey* out_;
    typename BestOf<metric>::Type best_;
};

} // namespace tandem::cuda
