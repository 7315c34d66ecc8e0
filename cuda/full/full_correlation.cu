// SPDX-License-Identifier: BSD-2-Clause
// Full search by SSD on the matrix units, exactly: SSD = |a|^2 + |b|^2 - 2ab, where a is the block and b what a vector
// points to. |b|^2 of every position is made once (make_squares); ab of 16 columns by 8 rows of vectors is a product of
// matrices for each row of the block:
//
//   ab[column][row] += A[column][k] * B[k][row],  A[column][k] = a(k - column), B[k][row] = b(k, row),  k = 0 .. 31
//
// A row of the block, 16 times moved by a sample, is the first matrix; it stays in registers through the whole search.
// Rows of the reference are the second one, which matrices of neighbouring columns and of rows 8 apart share.
#include "cuda/device/check.h"
#include "cuda/full/stretch_selection.cuh"
#include "cuda/full/sweep_columns.cuh"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

constexpr int threads_of_group = 32 * correlated_blocks;
constexpr int matrix_rows = 8;

/// Of a word whose first sample lies at x, those at 0 .. width - 1 of a block's row.
__device__ std::uint32_t mask_inside(int x, int width) { return word_mask(width - x) & ~word_mask(-x); }

/// A load that stays where it is written, ahead of the arithmetic that hides it.
__device__ __forceinline__ std::uint32_t load_ahead(const std::uint32_t* from) {
    std::uint32_t word;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(from));
    return word;
}

// What the matrix instructions take: lane 4g + t holds of A rows g and g + 8, of B column g, of the products rows g
// and g + 8 in columns 2t and 2t + 1 (PTX ISA, "Matrix Fragments for mma.m16n8k32").
__device__ __forceinline__ void multiply(int (&products)[4], const std::uint32_t (&a)[4], std::uint32_t b_low,
                                         std::uint32_t b_high) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(products[0]), "+r"(products[1]), "+r"(products[2]), "+r"(products[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_low), "r"(b_high));
#endif
}

/// Eight rows of 64 samples, of which lane l names the place of row l % 8, 16 * (l / 8) samples to the right.
__device__ __forceinline__ void load_rows(std::uint32_t (&b)[4], std::uint32_t shared_address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(shared_address)
                 : "memory");
}

/// A block: its rows as matrices, and the sum of its squares.
template <int rows> struct CorrelatedBlock {
    std::uint32_t a[rows][4];
    std::uint32_t squares = 0;

    __device__ CorrelatedBlock(const SearchTask& task, const BlockArea& block, int lane) {
        const int first = 4 * (lane % 4) - lane / 4;
        const std::uint32_t* row = task.current.origin + static_cast<std::ptrdiff_t>(block.y) * task.current.stride;
        row += block.x;
        std::uint32_t masks[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            masks[i] = mask_inside(first + (i & 2) * 8 - (i & 1) * 8, block.width);
        const std::uint32_t mask = lane < 4 ? word_mask(block.width - 4 * lane) : 0;
#pragma unroll
        for (int y = 0; y < rows; ++y, row += task.current.stride) {
            const std::uint32_t in_block = y < block.height ? 0xFFFFFFFFu : 0;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                a[y][i] = __ldg(row + first + (i & 2) * 8 - (i & 1) * 8) & masks[i] & in_block;
            const std::uint32_t word = __ldg(row + 4 * (lane % 4)) & mask & in_block;
            squares = __dp4a(word, word, squares);
        }
        squares = sum_of(whole_warp, squares);
    }
};

/// The least of the four lanes that have the same columns.
__device__ VectorKey least_of_four(VectorKey key) {
    key = min(key, __shfl_xor_sync(whole_warp, key, 1));
    return min(key, __shfl_xor_sync(whole_warp, key, 2));
}

/// The best vectors of a lane in its two columns of each of some matrices side by side.
template <int matrices> class MatrixKeys {
  public:
    using Best = WideBest;

    /// `first_x`: the sample that the first column of the first matrix begins at.
    __device__ MatrixKeys(const SweepColumns& columns, const RowTables<Metric::ssd>& tables, int block_column,
                          const VectorArea& area, int first_x, int lane)
        : columns_(columns), tables_(tables), block_column_(block_column), width_(area.width()), min_x_(area.min_x),
          first_(first_x + lane / 4 - area.min_x), lane_(lane), next_end_(columns.layout().stretch_rows) {
        const auto block = columns.addends_of_block(block_column);
#pragma unroll
        for (int i = 0; i < 2 * matrices; ++i) {
            const int x = min_x_ + min(max(number(i), 0), width_ - 1);
            addends_[i] = columns.first_addend(block, x) + 2 * (lane % 4);
        }
    }

    /// Two rows of vectors of column i, the first of them 2 * (lane % 4) below `row`.
    __device__ void take(int i, int row, std::uint32_t above, std::uint32_t below) {
        const Best::Addend* addends = tables_.addends + addends_[i] + row;
        best_[i].take(above, addends[0]);
        best_[i].take(below, addends[1]);
    }
    /// The same where the column may end before.
    __device__ void take_last(int i, int row, std::uint32_t above, std::uint32_t below) {
        const Best::Addend* addends = tables_.addends + addends_[i] + row;
        const int left = columns_.count() - row - 2 * (lane_ % 4);
        if (left > 0) best_[i].take(above, addends[0]);
        if (left > 1) best_[i].take(below, addends[1]);
    }

    __device__ void rows_done(int done) {
        if (done != next_end_) return;
        next_end_ += columns_.layout().stretch_rows;
        if (columns_.count() - done >= StretchRows::least_tail) store();
    }

    /// Of the stretches under way.
    __device__ VectorKey best_key() const {
        VectorKey least = no_vector_key;
#pragma unroll
        for (int i = 0; i < 2 * matrices; ++i)
            least = min(least, key(i));
        return least;
    }

    __device__ void store() {
#pragma unroll
        for (int i = 0; i < 2 * matrices; ++i) {
            const VectorKey least = least_of_four(key(i));
            if (exists(i) && lane_ % 4 == 0)
                columns_.keys_of_chunk(block_column_)[stretch_ * columns_.layout().key_columns + number(i)] = least;
            best_[i] = {};
        }
        ++stretch_;
    }

  private:
    /// Column i's number among those of the block, or beyond them.
    __device__ int number(int i) const { return first_ + 8 * i; }
    __device__ bool exists(int i) const { return number(i) >= 0 && number(i) < width_; }
    __device__ VectorKey key(int i) const {
        if (!exists(i) || best_[i].cost() == 0xFFFFFFFFu) return no_vector_key;
        return vector_key(best_[i].cost(), min_x_ + number(i), columns_.y_of(tables_.row_of_rank[best_[i].rank()]));
    }

    const SweepColumns& columns_;
    const RowTables<Metric::ssd>& tables_;
    int block_column_, width_, min_x_, first_, lane_;
    int next_end_, stretch_ = 0;
    int addends_[2 * matrices]; ///< Where a column's are in the tables.
    Best best_[2 * matrices];
};

/// What a warp searches with: where its rows of the reference and their sums of squares lie.
struct CorrelationSource {
    std::uint32_t shared_address; ///< Of the lane's part of the first rows.
    int pitch;
    const std::uint32_t* squares; ///< Of the lane's first column and row of vectors.
    int stride;
};

/// Turns the products of eight rows of vectors, from `row` on, into distortions, and the keys take them.
template <int rows, int matrices>
__device__ void take_distortions(const CorrelatedBlock<rows>& block, const std::uint32_t (&squares)[matrices][4],
                                 const int (&products)[matrices][4], int row, int count, MatrixKeys<matrices>& keys) {
    const bool is_whole = row + matrix_rows <= count;
#pragma unroll
    for (int m = 0; m < matrices; ++m) {
        std::uint32_t ssd[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            ssd[i] = block.squares + squares[m][i] - 2 * static_cast<std::uint32_t>(products[m][i]);
        if (is_whole) {
            keys.take(2 * m, row, ssd[0], ssd[1]);
            keys.take(2 * m + 1, row, ssd[2], ssd[3]);
        } else {
            keys.take_last(2 * m, row, ssd[0], ssd[1]);
            keys.take_last(2 * m + 1, row, ssd[2], ssd[3]);
        }
    }
    keys.rows_done(row + matrix_rows);
}

/// The products of a chunk's rows with `matrices` times 16 columns of vectors.
template <int rows, int matrices>
__device__ void correlate(const CorrelatedBlock<rows>& block, CorrelationSource source, int count,
                          MatrixKeys<matrices>& keys) {
    constexpr int delay = rows / matrix_rows - 1; // Matrices before the one whose first rows are met.
    const int steps = (count + matrix_rows - 1) / matrix_rows;
    int products[delay + 1][matrices][4] = {};
    std::uint32_t rows_under_way[2][4];
    load_rows(rows_under_way[0], source.shared_address);
    for (int step = 0; step < steps + delay; ++step) {
        std::uint32_t squares[matrices][4];
        if (step >= delay) {
#pragma unroll
            for (int m = 0; m < matrices; ++m) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    squares[m][i] = load_ahead(source.squares + (i & 1) * source.stride + 16 * m + (i & 2) * 4);
            }
            source.squares += matrix_rows * source.stride;
        }
#pragma unroll
        for (int y = 0; y < matrix_rows; ++y) {
            std::uint32_t(&b)[4] = rows_under_way[y % 2];
            // Those after the last step's last row are loaded too: the window has a row more.
            source.shared_address += static_cast<std::uint32_t>(source.pitch);
            load_rows(rows_under_way[(y + 1) % 2], source.shared_address);
            if (step < steps) {
#pragma unroll
                for (int m = 0; m < matrices; ++m)
                    multiply(products[delay][m], block.a[y], b[m], b[m + 1]);
            }
            if (delay > 0 && step > 0) {
#pragma unroll
                for (int m = 0; m < matrices; ++m)
                    multiply(products[0][m], block.a[y + delay * matrix_rows], b[m], b[m + 1]);
            }
        }
        if (step >= delay) {
            take_distortions<rows, matrices>(block, squares, products[0], (step - delay) * matrix_rows, count, keys);
        }
#pragma unroll
        for (int m = 0; m < matrices; ++m) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (delay > 0) products[0][m][i] = products[delay][m][i];
                products[delay][m][i] = 0;
            }
        }
    }
}

/// The samples that the group's blocks meet, from `first_x` on.
__device__ void load_window(const SearchTask& task, const CorrelationPlanes& planes, int first_x, int first_y, int rows,
                            std::uint8_t* window) {
    const int pitch = correlation_pitch(task), words = pitch / 16;
    const std::uint8_t* from = planes.samples + static_cast<std::ptrdiff_t>(first_y - planes.first_y) * planes.pitch +
                               (first_x - planes.first_x);
    for (int i = static_cast<int>(threadIdx.x); i < words * rows; i += threads_of_group) {
        const int row = i / words, word = i - row * words;
        *reinterpret_cast<uint4*>(window + row * pitch + 16 * word) =
            __ldg(reinterpret_cast<const uint4*>(from + static_cast<std::ptrdiff_t>(row) * planes.pitch) + word);
    }
}

__device__ int begin_of_matrices(const BlockArea& block, const VectorArea& area) {
    return (block.x + area.min_x) & ~(matrix_columns - 1);
}

/// A warp's block.
template <int rows> class WarpCorrelation {
  public:
    __device__ WarpCorrelation(const SearchTask& task, const CorrelationPlanes& planes, const SweepColumns& columns,
                               const RowTables<Metric::ssd>& tables, int column, std::uint32_t window,
                               int window_first_x)
        : task_(task), columns_(columns), tables_(tables), column_(column), lane_(static_cast<int>(threadIdx.x % 32)),
          area_(block_area(task, column, columns.block_row())), vectors_(vector_area(task, area_)),
          block_(task, area_, lane_), begin_(begin_of_matrices(area_, vectors_)) {
        const int pitch = correlation_pitch(task);
        const SquareSums& squares =
            planes.squares[(area_.width < task.block_width ? 1 : 0) + (area_.height < task.block_height ? 2 : 0)];
        source_ = {window + static_cast<std::uint32_t>(lane_ % 8 * pitch + lane_ / 8 * 16 + begin_ - window_first_x),
                   pitch,
                   squares.sums +
                       static_cast<std::ptrdiff_t>(area_.y + columns.y_of(0) + 2 * (lane_ % 4) - squares.first_y) *
                           squares.stride +
                       begin_ + lane_ / 4 - squares.first_x,
                   squares.stride};
    }

    __device__ void search() {
        const int matrices = (area_.x + vectors_.max_x - begin_) / matrix_columns + 1;
        VectorKey best = no_vector_key;
        for (int done = 0; done < matrices;) {
            best = min(best, search_some<matrices_at_once>(done));
            done += matrices_at_once;
        }
        if (!columns_.layout().settles) return;
        best = least(best);
        if (lane_ == 0) atomicMin(columns_.layout().best + block_number(task_, column_, columns_.block_row()), best);
    }

  private:
    template <int matrices> __device__ VectorKey search_some(int first) {
        CorrelationSource source = source_;
        source.shared_address += static_cast<std::uint32_t>(matrix_columns * first);
        source.squares += matrix_columns * first;
        MatrixKeys<matrices> keys(columns_, tables_, column_, vectors_, begin_ + matrix_columns * first - area_.x,
                                  lane_);
        correlate(block_, source, columns_.count(), keys);
        if (columns_.layout().settles) return keys.best_key();
        keys.store();
        return no_vector_key;
    }

    const SearchTask& task_;
    const SweepColumns& columns_;
    const RowTables<Metric::ssd>& tables_;
    int column_, lane_;
    BlockArea area_;
    VectorArea vectors_;
    CorrelatedBlock<rows> block_;
    int begin_;
    CorrelationSource source_;
};

/// Groups on a multiprocessor, for the registers that a block takes, which are more for other devices than sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
constexpr int resident_correlations(int rows) { return rows == 16 ? 2 : 4; }
#else
constexpr int resident_correlations(int rows) { return rows == 16 ? 3 : 4; }
#endif

template <int rows>
__global__ void __launch_bounds__(threads_of_group, resident_correlations(rows))
    full_correlation(const SearchTask task, const FullSearchLayout layout, const CorrelationPlanes planes,
                     int table_bytes) {
    extern __shared__ uint4 shared[];
    const RowTables<Metric::ssd> tables(shared, layout);
    auto* const window = reinterpret_cast<std::uint8_t*>(shared) + table_bytes;
    const int first = static_cast<int>(blockIdx.x) * correlated_blocks;
    const int end = min(first + correlated_blocks, task.columns);
    const int first_thread = __ldg(layout.first_thread + first);
    const SweepColumns columns(task, layout, first_thread, __ldg(layout.first_thread + end) - first_thread);
    if (columns.count() <= 0) return;
    const BlockArea first_block = block_area(task, first, columns.block_row());
    const int first_x = begin_of_matrices(first_block, vector_area(task, first_block));
    const int steps = (columns.count() + matrix_rows - 1) / matrix_rows;
    load_window(task, planes, first_x, first_block.y + columns.y_of(0), matrix_rows * steps + rows, window);
    columns.fill(tables, static_cast<int>(threadIdx.x), threads_of_group);
    __syncthreads();
    const int column = first + static_cast<int>(threadIdx.x) / 32;
    if (column >= end) return;
    WarpCorrelation<rows>(task, planes, columns, tables, column,
                          static_cast<std::uint32_t>(__cvta_generic_to_shared(window)), first_x)
        .search();
}

} // namespace

bool has_integer_matrices() {
    // Not what the device is, but what the code for it was compiled for: a newer device runs older PTX.
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, full_correlation<16>), "asking for the products of matrices");
    return attributes.ptxVersion >= 80;
}

void launch_full_correlation(const SearchTask& task, const FullSearchLayout& layout, const CorrelationPlanes& planes,
                             cudaStream_t stream) {
    const int groups = (task.columns + correlated_blocks - 1) / correlated_blocks;
    const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(layout.chunks));
    const auto tables = static_cast<int>(row_table_bytes<Metric::ssd>(layout));
    const int rows = task.block_height > 8 ? 16 : 8;
    const int steps = (layout.chunk_rows + matrix_rows - 1) / matrix_rows;
    const auto bytes = static_cast<std::size_t>(tables + correlation_pitch(task) * (matrix_rows * steps + rows));
    const auto kernel = rows == 16 ? full_correlation<16> : full_correlation<8>;
    kernel<<<grid, threads_of_group, bytes, stream>>>(task, layout, planes, tables);
    check_launch("full search by products of matrices");
}

} // namespace tandem::cuda
