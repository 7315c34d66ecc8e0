// SPDX-License-Identifier: BSD-2-Clause
// Full search of several block sizes in one pass. A thread takes a column of vectors of a macroblock, four vectors at a
// time: a row of the macroblock, from shared memory, meets four rows of the reference in registers, and gives a row of
// cells for each of the four vectors. What larger parts measure are sums of cells; the best of the column for each of
// the 41 parts stays in a register (PackedBest).
//
// A vector may be allowed for some parts and not for others near the picture's edges. Where the column is not allowed,
// the best begins with 0, which nothing beats and nobody reads; where the row is not, the addend is one that loses.
#include "cuda/device/check.h"
#include "cuda/full/sweep_columns.cuh"
#include "cuda/packed_arithmetic.cuh"
#include "cuda/sizes/sizes_kernels.h"

namespace tandem::cuda {

namespace {

/// Of rows that a part may not use: with any distortion added still a word, and more than any cost.
constexpr std::uint32_t losing_addend = 0xFF00FF00u;

/// A thread's macroblock and column.
struct PartsColumn {
    int block_column, x_of_block;
    int x;       ///< Displacement.
    bool exists; ///< The last threads repeat the last column and keep nothing.

    __device__ PartsColumn(const SearchTask& task, const SizesLayout& layout, int thread) {
        const std::uint32_t place = __ldg(layout.thread_places + min(thread, layout.thread_count - 1));
        exists = thread < layout.thread_count;
        block_column = static_cast<int>(place >> place_column_bits);
        x_of_block = block_column * macroblock_side;
        x = displacements_of_macroblock(x_of_block, task.picture_width, task.range_x, task.padded).first +
            static_cast<int>(place & ((1u << place_column_bits) - 1));
    }
    __device__ bool is_allowed(const SearchTask& task, const Part& part) const {
        const Displacements allowed =
            displacements_of(x_of_block + part.x, part.width, task.picture_width, task.range_x, task.padded);
        return x >= allowed.first && x <= allowed.last;
    }
};

/// What a group of threads shares, in shared memory: the samples of its macroblocks, the addends of its rows by the
/// rate of the column and by the rows of the part (row_class_of), and the row of each rank.
struct PartsTables {
    std::uint32_t* samples;
    std::uint32_t* addends;
    std::uint8_t* row_of_rank;

    __device__ PartsTables(void* memory, const SizesLayout& layout)
        : samples(static_cast<std::uint32_t*>(memory)), addends(samples + layout.macroblocks * macroblock_words),
          row_of_rank(reinterpret_cast<std::uint8_t*>(addends +
                                                      layout.rate_classes * row_classes * layout.rate_row_length())) {}
};

/// A row of macroblocks and the rows of vectors of a chunk.
struct PartsRows {
    int y_of_block, first_y, count;
    bool differ; ///< Some parts may not use all of the rows, or have none.

    __device__ PartsRows(const SearchTask& task, const SizesLayout& layout, int row, int chunk)
        : y_of_block(row * macroblock_side) {
        const Displacements all =
            displacements_of_macroblock(y_of_block, task.picture_height, task.range_y, task.padded);
        first_y = all.first + chunk * layout.chunk_rows;
        count = min(layout.chunk_rows, all.last - first_y + 1);
        const int below = task.picture_height - y_of_block - macroblock_side;
        differ = below < 0 || (!task.padded && (y_of_block < task.range_y || below < task.range_y));
    }

    __device__ void fill(const SearchTask& task, const SizesLayout& layout, const PartsTables& tables) const {
        const RankedRows ranks{first_y, 0, count};
        const int rounded = (count + rows_together - 1) / rows_together * rows_together;
        for (int row = static_cast<int>(threadIdx.x); row < rounded; row += sizes_lanes) {
            const int y = first_y + row, rank = row < count ? ranks.rank(y) : 0;
            if (row < count) tables.row_of_rank[rank] = static_cast<std::uint8_t>(row);
            const int y_class = rate_class(y * eighths_per_pel, task.rate_shift);
            for (int rows = 0; rows < (differ ? row_classes : 1); ++rows) {
                const RowsOfClass part = rows_of_class(rows);
                const Displacements allowed =
                    displacements_of(y_of_block + part.y, part.height, task.picture_height, task.range_y, task.padded);
                const bool loses = row >= count || y < allowed.first || y > allowed.last;
                for (int x_class = 0; x_class < layout.rate_classes; ++x_class) {
                    const std::uint32_t rate = task.lambda_q8 * static_cast<std::uint32_t>(2 * (x_class + y_class) + 2);
                    tables.addends[(x_class * row_classes + rows) * layout.rate_row_length() + row] =
                        loses ? losing_addend : PackedBest::addend(rate, rank);
                }
            }
        }
    }

    /// The samples of macroblocks `first` .. `last`; of those that are cut, what lies beyond the picture is zero.
    __device__ void load(const SearchTask& task, const PartsTables& tables, int first, int last) const {
        for (int i = static_cast<int>(threadIdx.x); i < (last - first + 1) * 64; i += sizes_lanes) {
            const int block = i / 64, y = i % 64 / 4, x = (first + block) * macroblock_side + i % 4 * 4;
            const std::uint32_t word =
                __ldg(task.current.origin + static_cast<std::ptrdiff_t>(y_of_block + y) * task.current.stride + x);
            tables.samples[block * macroblock_words + i % 64] = word & word_mask(task.picture_width - x);
        }
    }
};

/// The best of a thread's column for each part.
template <bool small_parts> struct PartBests {
    static constexpr int first = small_parts ? 0 : first_large_part;

    __device__ PartBests(const SearchTask& task, const PartsColumn& column) {
#pragma unroll
        for (int part = first; part < part_count; ++part)
            best[part - first] = column.is_allowed(task, part_of_number(part)) ? 0xFFFFFFFFu : 0;
    }
    __device__ __forceinline__ void take(int part, std::uint32_t distortion, std::uint32_t addend) {
        best[part - first] = min(best[part - first], distortion * 256 + addend);
    }

    std::uint32_t best[part_count - first];
};

/// Four vectors, one below the other, of one macroblock. cut: parts of it lie beyond the picture, or rows of vectors
/// count for some parts only.
template <bool small_parts, bool cut> class FourVectors {
  public:
    /// `samples`: 16 rows of the macroblock. `addends`: of the first vector; those of a class of rows lie
    /// `class_stride` behind those of the class before.
    __device__ FourVectors(const uint4* samples, const std::uint32_t* addends, int class_stride, const uint4& mask,
                           int height)
        : samples_(samples), addends_(addends), class_stride_(class_stride), mask_(mask), height_(height) {}

    __device__ __forceinline__ void run(const std::uint32_t* reference, std::ptrdiff_t stride,
                                        PartBests<small_parts>& bests) {
#pragma unroll
        for (int i = 0; i < rows_together; ++i)
            load(i, reference + i * stride);
#pragma unroll
        for (int strip = 0; strip < macroblock_side / cell_rows; ++strip) {
            std::uint32_t sums[rows_together][cells] = {};
#pragma unroll
            for (int k = 0; k < cell_rows; ++k) {
                const int row = strip * cell_rows + k;
                if (row + 1 < macroblock_side) load(row + rows_together, reference + (row + rows_together) * stride);
                if (!cut || row < height_) add_row(row, sums);
            }
            take_cells(strip, sums, bests);
        }
        addends_ += rows_together;
    }

  private:
    static constexpr int cells = small_parts ? 4 : 2;
    static constexpr int cell_rows = macroblock_side / cells;
    static constexpr int lines = rows_together + 1;

    __device__ __forceinline__ void load(int row, const std::uint32_t* from) {
        std::uint32_t(&line)[4] = lines_[row % lines];
        line[0] = __ldg(from);
        line[1] = __ldg(from + 4);
        line[2] = __ldg(from + 8);
        line[3] = __ldg(from + 12);
        if constexpr (cut) {
            line[0] &= mask_.x;
            line[1] &= mask_.y;
            line[2] &= mask_.z;
            line[3] &= mask_.w;
        }
    }

    __device__ __forceinline__ void add_row(int row, std::uint32_t (&sums)[rows_together][cells]) {
        const uint4 own = samples_[row];
        const std::uint32_t words[4] = {own.x, own.y, own.z, own.w};
#pragma unroll
        for (int vector = 0; vector < rows_together; ++vector) {
            const std::uint32_t(&line)[4] = lines_[(row + vector) % lines];
#pragma unroll
            for (int w = 0; w < 4; ++w) {
                std::uint32_t& sum = sums[vector][w * cells / 4];
                sum = add_absolute_differences(words[w], line[w], sum);
            }
        }
    }

    /// The addends of the four vectors for parts that cover these rows.
    __device__ __forceinline__ uint4 addends(int y, int height) const {
        return *reinterpret_cast<const uint4*>(addends_ + (cut ? row_class_of(y, height) * class_stride_ : 0));
    }
    static __device__ __forceinline__ std::uint32_t of_vector(const uint4& addends, int vector) {
        return vector == 0 ? addends.x : vector == 1 ? addends.y : vector == 2 ? addends.z : addends.w;
    }

    __device__ __forceinline__ void take_cells(int strip, std::uint32_t (&sums)[rows_together][cells],
                                               PartBests<small_parts>& bests) {
        if constexpr (!small_parts) {
            take_eights(strip, sums, bests);
        } else {
            const uint4 four = addends(4 * strip, 4), eight = addends(strip / 2 * 8, 8);
            std::uint32_t eights[rows_together][2];
#pragma unroll
            for (int vector = 0; vector < rows_together; ++vector) {
                const std::uint32_t own = of_vector(four, vector);
#pragma unroll
                for (int cell = 0; cell < 4; ++cell)
                    bests.take(4 * strip + cell, sums[vector][cell], own);
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    eights[vector][half] = sums[vector][2 * half] + sums[vector][2 * half + 1];
                    bests.take(16 + 2 * strip + half, eights[vector][half], own);
                }
#pragma unroll
                for (int cell = 0; cell < 4; ++cell) {
                    if (strip % 2 == 0) {
                        above_[vector][cell] = sums[vector][cell];
                    } else {
                        above_[vector][cell] += sums[vector][cell];
                        bests.take(24 + strip / 2 * 4 + cell, above_[vector][cell], of_vector(eight, vector));
                    }
                }
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    eights[vector][half] = above_[vector][2 * half] + above_[vector][2 * half + 1];
            }
            if (strip % 2 == 1) take_eights(strip / 2, eights, bests);
        }
    }

    /// The parts of 8x8 samples in the upper or lower half, and what they are parts of.
    __device__ __forceinline__ void take_eights(int half, const std::uint32_t (&eights)[rows_together][2],
                                                PartBests<small_parts>& bests) {
        const uint4 eight = addends(8 * half, 8), all = addends(0, 16);
#pragma unroll
        for (int vector = 0; vector < rows_together; ++vector) {
            const std::uint32_t own = of_vector(eight, vector), of_all = of_vector(all, vector);
            const std::uint32_t left = eights[vector][0], right = eights[vector][1];
            bests.take(32 + 2 * half, left, own);
            bests.take(33 + 2 * half, right, own);
            bests.take(36 + half, left + right, own);
            if (half == 0) {
                upper_[vector][0] = left;
                upper_[vector][1] = right;
            } else {
                const std::uint32_t all_left = upper_[vector][0] + left, all_right = upper_[vector][1] + right;
                bests.take(38, all_left, of_all);
                bests.take(39, all_right, of_all);
                bests.take(40, all_left + all_right, of_all);
            }
        }
    }

    const uint4* samples_;
    const std::uint32_t* addends_;
    int class_stride_;
    uint4 mask_;
    int height_;
    std::uint32_t lines_[lines][4];
    std::uint32_t above_[rows_together][4]; ///< Cells of the upper four rows, then of eight.
    std::uint32_t upper_[rows_together][2];
};

/// The bests of the columns of a block compete; all lanes of the warp call this.
template <bool small_parts>
__device__ void settle(const SearchTask& task, const SizesLayout& layout, const PartsColumn& column,
                       const PartsRows& rows, int row, const std::uint8_t* row_of_rank,
                       const PartBests<small_parts>& bests) {
    const unsigned group = __match_any_sync(0xFFFFFFFFu, column.exists ? column.block_column : -1);
    const bool leads = column.exists && static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(group)) - 1;
    VectorKey* const keys =
        layout.best + (static_cast<std::size_t>(row) * task.columns + column.block_column) * part_count;
#pragma unroll
    for (int part = bests.first; part < part_count; ++part) {
        const std::uint32_t best = bests.best[part - bests.first];
        const bool counts = best < losing_addend && column.is_allowed(task, part_of_number(part));
        VectorKey key = no_vector_key;
        if (counts) key = vector_key(best >> 8, column.x, rows.first_y + row_of_rank[best & 0xFF]);
        const std::uint32_t cost = least_of(group, cost_of_key(key));
        const std::uint32_t tie =
            least_of(group, cost_of_key(key) == cost ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu);
        if (leads && cost != 0xFFFFFFFFu) atomicMin(keys + part, static_cast<VectorKey>(cost) << 32 | tie);
    }
}

/// Groups of threads on a multiprocessor: as many as leave each the registers that it needs, a few more before sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int groups_for_small_parts = 2;
#else
constexpr int groups_for_small_parts = 3;
#endif

template <bool small_parts>
__global__ void __launch_bounds__(sizes_lanes, small_parts ? groups_for_small_parts : 4)
    full_sizes(const SearchTask task, const SizesLayout layout) {
    extern __shared__ uint4 shared[];
    const PartsTables tables(shared, layout);
    const int row = task.rows - 1 - static_cast<int>(blockIdx.y);
    const PartsRows rows(task, layout, row, static_cast<int>(blockIdx.z));
    if (rows.count <= 0) return;
    const int first_thread = static_cast<int>(blockIdx.x) * sizes_lanes;
    const int last_thread = min(first_thread + sizes_lanes, layout.thread_count) - 1;
    const int first_block = static_cast<int>(__ldg(layout.thread_places + first_thread) >> place_column_bits);
    const int last_block = static_cast<int>(__ldg(layout.thread_places + last_thread) >> place_column_bits);
    rows.fill(task, layout, tables);
    rows.load(task, tables, first_block, last_block);
    __syncthreads();

    const PartsColumn column(task, layout, first_thread + static_cast<int>(threadIdx.x));
    PartBests<small_parts> bests(task, column);
    const int left = task.picture_width - column.x_of_block,
              height = min(macroblock_side, task.picture_height - rows.y_of_block);
    const std::uint32_t* reference =
        task.reference.whole.origin +
        static_cast<std::ptrdiff_t>(rows.y_of_block + rows.first_y) * task.reference.whole.stride + column.x_of_block +
        column.x;
    const std::ptrdiff_t stride = task.reference.whole.stride;
    const auto* const samples =
        reinterpret_cast<const uint4*>(tables.samples + (column.block_column - first_block) * macroblock_words);
    const int x_class = rate_class(column.x * eighths_per_pel, task.rate_shift);
    const std::uint32_t* const addends = tables.addends + x_class * row_classes * layout.rate_row_length();
    const uint4 mask{word_mask(left), word_mask(left - 4), word_mask(left - 8), word_mask(left - 12)};
    const int class_stride = rows.differ ? layout.rate_row_length() : 0;
    const auto sweep = [&](auto vectors) {
        for (int done = 0; done < rows.count; done += rows_together, reference += rows_together * stride)
            vectors.run(reference, stride, bests);
    };
    if (__any_sync(0xFFFFFFFFu, rows.differ || left < macroblock_side)) {
        sweep(FourVectors<small_parts, true>(samples, addends, class_stride, mask, height));
    } else {
        sweep(FourVectors<small_parts, false>(samples, addends, class_stride, mask, height));
    }
    settle<small_parts>(task, layout, column, rows, row, tables.row_of_rank, bests);
}

constexpr int write_threads = 128;

__global__ void __launch_bounds__(write_threads)
    write_sizes(const SearchTask task, const SizesLayout layout, const SizedFields fields) {
    const SizedField& field = fields.field[blockIdx.y];
    const int block = static_cast<int>(blockIdx.x) * write_threads + static_cast<int>(threadIdx.x);
    if (block >= field.rows * field.columns) return;
    const VectorKey key = layout.best[number_of_part(task, field, block)];
    field.found[block] = candidate_of_key(task, Mv{}, key);
}

} // namespace

void launch_full_sizes(const SearchTask& task, const SizesLayout& layout, bool small_parts, cudaStream_t stream) {
    const int groups = (layout.thread_count + sizes_lanes - 1) / sizes_lanes;
    const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(layout.chunks));
    const auto bytes = static_cast<std::size_t>(layout.shared_bytes());
    if (small_parts) {
        full_sizes<true><<<grid, sizes_lanes, bytes, stream>>>(task, layout);
    } else {
        full_sizes<false><<<grid, sizes_lanes, bytes, stream>>>(task, layout);
    }
    check_launch("full search of several block sizes");
}

void launch_write_sizes(const SearchTask& task, const SizesLayout& layout, const SizedFields& fields,
                        cudaStream_t stream) {
    int most = 0;
    for (int i = 0; i < fields.count; ++i)
        most = max(most, fields.field[i].rows * fields.field[i].columns);
    const dim3 groups(static_cast<unsigned>((most + write_threads - 1) / write_threads),
                      static_cast<unsigned>(fields.count));
    write_sizes<<<groups, write_threads, 0, stream>>>(task, layout, fields);
    check_launch("writing what a search of several block sizes found");
}

} // namespace tandem::cuda
