// SPDX-License-Identifier: BSD-2-Clause
// What the kernels of full search by sweeps share: which thread searches which column of vectors, the rate of its rows,
// and how its best vectors become keys.
#pragma once

#include "cuda/full/block_sweep.cuh"
#include "cuda/search_geometry.cuh"
#include "cuda/warp_reduction.cuh"

namespace tandem::cuda {

/// What is added to a distortion is looked up by its row and the rate of its column: the rate of both, and the rank of
/// the row (RankedRows), by which equal costs are told apart.
///
/// A SAD with its rate is below 2^24 for every block up to 128x128 and every lambda, so a cost times 256 with the rank
/// in the low byte is one word, and the best vector of a column is a minimum of words.
class PackedBest {
  public:
    using Addend = std::uint32_t;
    static __device__ Addend addend(std::uint32_t rate_q8, int rank) {
        return (rate_q8 & 0xFFFFFF00u) | static_cast<std::uint32_t>(rank);
    }
    __device__ void take(std::uint32_t sad, Addend addend) { best_ = min(best_, sad * 256 + addend); }
    __device__ std::uint32_t cost() const { return best_ >> 8; }
    __device__ int rank() const { return static_cast<int>(best_ & 0xFF); }

  private:
    std::uint32_t best_ = 0xFFFFFFFFu;
};

/// The same for distortions of up to 31 bits with their rate.
class WideBest {
  public:
    using Addend = VectorKey;
    static __device__ Addend addend(std::uint32_t rate_q8, int rank) {
        return static_cast<VectorKey>(rate_q8 >> 8) << 32 | static_cast<std::uint32_t>(rank);
    }
    __device__ void take(std::uint32_t distortion, Addend addend) {
        best_ = min(best_, (static_cast<VectorKey>(distortion) << 32) + addend);
    }
    __device__ std::uint32_t cost() const { return cost_of_key(best_); }
    __device__ int rank() const { return static_cast<int>(best_ & 0xFF); }

  private:
    VectorKey best_ = no_vector_key;
};

template <Metric metric> struct BestOf;
template <> struct BestOf<Metric::sad> { using Type = PackedBest; };
template <> struct BestOf<Metric::ssd> { using Type = WideBest; };

/// What a group of threads shares about the rows of its chunk, in shared memory: the addends of its rows, a row of them
/// for each predictor and each rate that a column can have, and the row of each rank.
template <Metric metric> struct RowTables {
    using Best = typename BestOf<metric>::Type;
    typename Best::Addend* addends;
    std::uint8_t* row_of_rank;

    __device__ RowTables(void* memory, const FullSearchLayout& layout)
        : addends(static_cast<typename Best::Addend*>(memory)),
          row_of_rank(reinterpret_cast<std::uint8_t*>(addends + layout.rate_rows * layout.rate_row_length())) {}
};

/// Bytes of that, a multiple of 16.
template <Metric metric> std::size_t row_table_bytes(const FullSearchLayout& layout) {
    const std::size_t addends =
        static_cast<std::size_t>(layout.rate_rows) * static_cast<std::size_t>(layout.rate_row_length());
    return (addends * sizeof(typename RowTables<metric>::Best::Addend) + static_cast<std::size_t>(layout.chunk_rows) +
            15) /
           16 * 16;
}

/// Component_bits() are 2 * class + 1.
__device__ inline int rate_class(int difference, int rate_shift) {
    return significant_bits(static_cast<std::uint32_t>(magnitude(difference) >> rate_shift));
}

/// A thread's part: the vectors of one column of one block.
struct SweepColumn {
    int block_column;
    BlockArea block;
    int x;          ///< Position.
    int key_column; ///< Number of this column among those of the block.
    bool exists;    ///< The last threads repeat the last column and keep nothing.
};

/// Whose blocks stand in a row of blocks: those of the task's one picture.
struct OnePicture {
    __device__ int column_of(const SearchTask&, int block_column) const { return block_column; }
    __device__ std::size_t number_of(const SearchTask& task, int block_column, int row) const {
        return block_number(task, block_column, row);
    }
    __device__ Mv predictor(const SearchTask& task, int block_column, int row) const {
        return predictor_of(task, block_column, row);
    }
    __device__ TileSource source(const SearchTask& task, int, int x, int y, Position first) const {
        return tile_source(task, x, y, first);
    }
};

/// The columns of vectors `first_thread .. first_thread + threads - 1` of a row of blocks, and the rows of a chunk. The
/// groups that start first have the lowest row of blocks, since cut blocks take longest.
template <class Pictures> class SweepColumnsOf {
  public:
    __device__ SweepColumnsOf(const SearchTask& task, const FullSearchLayout& layout, int first_thread, int threads,
                              Pictures pictures = {})
        : task_(task), layout_(layout), pictures_(pictures), first_thread_(first_thread), threads_(threads),
          block_row_(task.first_row + task.rows - 1 - static_cast<int>(blockIdx.y)),
          chunk_(chunk_of(task, layout, vector_area(task, block_area(task, 0, block_row_)),
                          static_cast<int>(blockIdx.z))) {}

    __device__ int count() const { return chunk_.count; }
    __device__ int block_row() const { return block_row_; }
    /// Position of a row of the chunk.
    __device__ int y_of(int row) const { return chunk_.first_y + (row << task_.grid_shift); }
    __device__ const FullSearchLayout& layout() const { return layout_; }

    template <Metric metric> __device__ void fill(const RowTables<metric>& tables, int thread, int threads) const {
        const int first = first_block(), blocks = task_.predictors == nullptr ? 1 : last_block() - first + 1;
        const RankedRows ranks{chunk_.first_y, task_.grid_shift, chunk_.count};
        for (int row = thread; row < chunk_.count; row += threads) {
            const int rank = ranks.rank(y_of(row));
            tables.row_of_rank[rank] = static_cast<std::uint8_t>(row);
            for (int block = 0; block < blocks; ++block) {
                const int y_class = rate_class(y_of(row) * task_.step() - predictor(first + block).y, task_.rate_shift);
                const ClassRange classes = classes_of(first + block);
                auto* out = tables.addends + block * layout_.rate_classes * layout_.rate_row_length() + row;
                for (int x_class = classes.first; x_class <= classes.last; ++x_class) {
                    *out = RowTables<metric>::Best::addend(
                        task_.lambda_q8 * static_cast<std::uint32_t>(2 * (x_class + y_class) + 2), rank);
                    out += layout_.rate_row_length();
                }
            }
        }
    }

    /// Where the addends of a block's columns lie.
    struct BlockAddends {
        int predictor; ///< Its horizontal component.
        int first_row; ///< That of rate class 0, if columns had it.
    };
    __device__ BlockAddends addends_of_block(int block_column) const {
        const int block = task_.predictors == nullptr ? 0 : block_column - first_block();
        return {predictor(block_column).x, block * layout_.rate_classes - classes_of(block_column).first};
    }
    /// The number of the first addend of the column at position x.
    __device__ int first_addend(const BlockAddends& block, int x) const {
        const int x_class = rate_class(x * task_.step() - block.predictor, task_.rate_shift);
        return (block.first_row + x_class) * layout_.rate_row_length();
    }

    /// The addends of a column.
    template <Metric metric>
    __device__ const auto* addends_of(const RowTables<metric>& tables, const SweepColumn& column) const {
        return tables.addends + first_addend(addends_of_block(column.block_column), column.x);
    }

    __device__ SweepColumn column(int thread) const {
        const std::uint32_t place = __ldg(layout_.thread_places + min(thread, layout_.thread_count - 1));
        SweepColumn column;
        column.exists = thread < layout_.thread_count;
        column.block_column = static_cast<int>(place >> place_column_bits);
        column.key_column = static_cast<int>(place & ((1u << place_column_bits) - 1));
        column.block = area_of(column.block_column);
        column.x = vector_area(task_, column.block).min_x + column.key_column;
        return column;
    }

    /// The samples of the tile at (x, y) in the column's block, and where the chunk's first vector puts it.
    __device__ TileSource source(const SweepColumn& column, int x, int y) const {
        return pictures_.source(task_, column.block_column, column.block.x + x, column.block.y + y,
                                {column.x, chunk_.first_y});
    }

    /// Where the column's key of the chunk's first stretch goes.
    __device__ VectorKey* keys(const SweepColumn& column) const {
        return keys_of_chunk(column.block_column) + column.key_column;
    }
    __device__ VectorKey* keys_of_chunk(int block_column) const {
        return keys_of(task_, layout_, block_column, block_row_) +
               static_cast<std::size_t>(blockIdx.z) * layout_.chunk_stretches * layout_.key_columns;
    }

    /// Where the layout settles: the key of each stretch competes with those of its block. All lanes of the warp call
    /// this.
    __device__ void settle(const SweepColumn& column, VectorKey key) const {
        const unsigned whole = 0xFFFFFFFFu;
        const unsigned group = __match_any_sync(whole, column.exists ? column.block_column : -1);
        const std::uint32_t cost = least_of(group, cost_of_key(key));
        const std::uint32_t tie =
            least_of(group, cost_of_key(key) == cost ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu);
        const int lane = static_cast<int>(threadIdx.x % 32);
        if (!column.exists || lane != __ffs(static_cast<int>(group)) - 1) return;
        atomicMin(layout_.best + pictures_.number_of(task_, column.block_column, block_row_),
                  static_cast<VectorKey>(cost) << 32 | tie);
    }

  private:
    __device__ Mv predictor(int block_column) const { return pictures_.predictor(task_, block_column, block_row_); }
    __device__ BlockArea area_of(int block_column) const {
        return block_area(task_, pictures_.column_of(task_, block_column), block_row_);
    }

    /// The rates that columns of a block can have.
    struct ClassRange {
        int first, last;
    };
    __device__ ClassRange classes_of(int block_column) const {
        if (task_.predictors == nullptr) return {0, layout_.rate_classes - 1};
        const VectorArea area = vector_area(task_, area_of(block_column));
        const int low = area.min_x * task_.step() - predictor(block_column).x;
        const int high = area.max_x * task_.step() - predictor(block_column).x;
        const int nearest = low > 0 ? low : high < 0 ? high : 0;
        return {rate_class(nearest, task_.rate_shift), rate_class(max(-low, high), task_.rate_shift)};
    }

    __device__ int first_block() const {
        return static_cast<int>(__ldg(layout_.thread_places + first_thread_) >> place_column_bits);
    }
    __device__ int last_block() const {
        const int last = min(first_thread_ + threads_, layout_.thread_count) - 1;
        return static_cast<int>(__ldg(layout_.thread_places + last) >> place_column_bits);
    }

    const SearchTask& task_;
    const FullSearchLayout& layout_;
    Pictures pictures_;
    int first_thread_, threads_;
    int block_row_;
    RowRun chunk_;
};
using SweepColumns = SweepColumnsOf<OnePicture>;

/// Keeps the best of each stretch of a column.
template <Metric metric> class ColumnKeys {
  public:
    /// Begins with the first row of a stretch.
    __device__ ColumnKeys(const SweepColumns& columns, const SweepColumn& column, const RowTables<metric>& tables,
                          int stretch = 0)
        : columns_(columns),
          row_of_rank_(tables.row_of_rank), stretches_{columns.count(), columns.layout().stretch_rows},
          addends_(columns.addends_of(tables, column) + stretches_.first(stretch)), x_(column.x),
          exists_(column.exists), next_end_(stretches_.rows * (stretch + 1)),
          key_columns_(columns.layout().key_columns), out_(columns.keys(column) + stretch * key_columns_) {}

    __device__ void row(std::uint32_t distortion) {
        best_.take(distortion, *addends_);
        ++addends_;
    }

    __device__ void rows_done(int done) {
        if (done != next_end_) return;
        next_end_ += stretches_.rows;
        if (stretches_.count - done >= StretchRows::least_tail) store();
    }

    /// Of the stretch under way.
    __device__ VectorKey key() const { return vector_key(best_.cost(), x_, columns_.y_of(row_of_rank_[best_.rank()])); }

    __device__ void store() {
        if (exists_) *out_ = key();
        out_ += key_columns_;
        best_ = {};
    }

  private:
    const SweepColumns& columns_;
    const std::uint8_t* row_of_rank_;
    StretchRows stretches_;
    const typename BestOf<metric>::Type::Addend* addends_;
    int x_;
    bool exists_;
    int next_end_;
    int key_columns_;
    VectorKey* out_;
    typename BestOf<metric>::Type best_;
};

} // namespace tandem::cuda
