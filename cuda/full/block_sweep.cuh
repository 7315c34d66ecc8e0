// SPDX-License-Identifier: BSD-2-Clause
// SADs (or SSDs) of one tile against a column of vectors, one thread a column, everything in registers.
//
// The tile's rows stay in registers while the reference's rows pass by, one load each. A reference row meets every row
// of the tile at once: sums[i] is the SAD of the tile's rows 0..i for the vector that puts row i onto this reference
// row, so that sums[i] = sums[i-1] of the reference row before + the difference of row i. The last one is complete.
// The accumulating instruction adds and moves in one, so the loop holds hardly anything but the differences.
#pragma once

#include "cuda/packed_arithmetic.cuh"
#include "cuda/search_geometry.cuh"

namespace tandem::cuda {

/// Samples of a tile and of the reference where its first vector points.
struct TileSource {
    const std::uint32_t* current;
    const std::uint32_t* reference;
    int current_stride, reference_stride;
};

/// The tile at (x, y) of the picture and its first vector.
__device__ inline TileSource tile_source(const SearchTask& task, int x, int y, Position first) {
    return {task.current.origin + static_cast<std::ptrdiff_t>(y) * task.current.stride + x,
            reference_at(task, x, y, first), task.current.stride, task.reference.whole.stride};
}

template <Metric metric> __device__ std::uint32_t add_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
    return metric == Metric::ssd ? add_squared_differences(a, b, sum) : add_absolute_differences(a, b, sum);
}

template <Metric metric, int words, int rows> class BlockSweep {
  public:
    /// Begins to load what the first rows need.
    __device__ explicit BlockSweep(const TileSource& source)
        : reference_(source.reference), stride_(source.reference_stride) {
#pragma unroll
        for (int slot = 0; slot < lead; ++slot)
            load(lines_[slot]);
#pragma unroll
        for (int i = 0; i < rows; ++i) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                current_[i][w] = __ldg(source.current + i * source.current_stride + 4 * w);
            sums_[i] = 0;
        }
    }

    /// Gives the distortions of the vectors 0 .. count - 1 (at least `rows`) down the column to keep.row(), and calls
    /// keep.rows_done(n) for each n that is a multiple of 8 but among the last `rows` - 1.
    template <class Keep> __device__ void run_whole(int count, Keep& keep) {
        run_in();
        int done = 0;
        for (; done + together <= count - rows + 1; done += together) {
#pragma unroll
            for (int i = 0; i < together; ++i) {
                pass(lines_[i % depth], 0, rows, true);
                keep.row(sums_[rows - 1]);
            }
            keep.rows_done(done + together);
        }
        for (; done < count - rows + 1; ++done) {
            pass(lines_[0], 0, rows, false);
            shift_lines();
            keep.row(sums_[rows - 1]);
        }
        run_out(keep);
    }

    /// The same for a tile of which only `width` samples of the first `height` rows count, or a short column.
    template <class Keep> __device__ void run_cut(int count, int width, int height, Keep& keep) {
        std::uint32_t mask[words];
#pragma unroll
        for (int w = 0; w < words; ++w) {
            mask[w] = word_mask(width - 4 * w);
#pragma unroll
            for (int i = 0; i < rows; ++i)
                current_[i][w] &= mask[w];
        }
        reference_ -= stride_ * (lead - 1);
        for (int r = 0; r < count + height - 1; ++r) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                lines_[0][w] &= mask[w];
            pass(lines_[0], 0, rows, true);
            if (r < height - 1) continue;
            std::uint32_t sum = sums_[0];
#pragma unroll
            for (int i = 1; i < rows; ++i)
                sum = i == height - 1 ? sums_[i] : sum;
            keep.row(sum);
            const int done = r - height + 2;
            if (done % 4 == 0) keep.rows_done(done);
        }
    }

  private:
    /// Reference rows under way ahead of the one in use: few where a row takes long, for the registers that they cost;
    /// more at the beginning, where rows take less time and sums are not yet in registers.
    static constexpr int depth = words * rows >= 64 ? 2 : 4;
    static constexpr int lead = 4;
    /// Rows of one round of the loop; a whole number of rounds makes a stretch where there are stretches (StretchRows).
    static constexpr int together = words < 4 ? 8 : 4;

    /// The first rows - 1 reference rows, of which later rows of the tile are left out. Afterwards line i is that of
    /// the i-th row to come.
    __device__ __forceinline__ void run_in() {
#pragma unroll
        for (int r = 0; r < rows - 1; ++r)
            pass(lines_[r % lead], 0, r + 1, r + lead <= rows - 2 + depth);
        std::uint32_t ordered[depth][words];
#pragma unroll
        for (int i = 0; i < depth; ++i) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                ordered[i][w] = lines_[(rows - 1 + i) % lead][w];
        }
#pragma unroll
        for (int i = 0; i < depth; ++i) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                lines_[i][w] = ordered[i][w];
        }
    }

    /// The last rows - 1 reference rows: what would belong to later vectors is left out.
    template <class Keep> __device__ __forceinline__ void run_out(Keep& keep) {
#pragma unroll
        for (int first = 1; first < rows; ++first) {
            pass(lines_[(first - 1) % depth], first, rows, first + depth < rows);
            keep.row(sums_[rows - 1]);
        }
    }

    /// In the remainder of a loop: the line used up goes, the next one is loaded.
    __device__ void shift_lines() {
#pragma unroll
        for (int i = 0; i + 1 < depth; ++i) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                lines_[i][w] = lines_[i + 1][w];
        }
        load(lines_[depth - 1]);
    }

    __device__ __forceinline__ void load(std::uint32_t (&line)[words]) {
#pragma unroll
        for (int w = 0; w < words; ++w)
            line[w] = __ldg(reference_ + 4 * w);
        step_down();
    }

    /// The arithmetic that differences need most would also add addresses, in two instructions. Of a small tile, whose
    /// rows take little else, a multiplication moves the address: by one, which the compiler must not see.
    __device__ __forceinline__ void step_down() {
        if constexpr (words * rows < 64) {
            const auto one = static_cast<int>(blockDim.y), bytes = static_cast<int>(stride_) * 4;
            asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(reference_) : "r"(one), "r"(bytes));
        } else {
            reference_ += stride_;
        }
    }

    /// One reference row against the tile's rows first .. end - 1; its place then takes the next row to be loaded.
    __device__ __forceinline__ void pass(std::uint32_t (&line)[words], int first, int end, bool load_next) {
        std::uint32_t samples[words];
#pragma unroll
        for (int w = 0; w < words; ++w)
            samples[w] = line[w];
        if (load_next) load(line);
#pragma unroll
        for (int w = 0; w < words; ++w) {
#pragma unroll
            for (int i = rows - 1; i >= 0; --i) {
                if (i < first || i >= end) continue;
                const std::uint32_t before = w > 0 ? sums_[i] : i > 0 ? sums_[i - 1] : 0;
                sums_[i] = add_differences<metric>(current_[i][w], samples[w], before);
            }
        }
    }

    std::uint32_t current_[rows][words];
    std::uint32_t sums_[rows];
    std::uint32_t lines_[lead][words];
    const std::uint32_t* reference_; ///< The next row to be loaded.
    std::ptrdiff_t stride_;
};

} // namespace tandem::cuda
