// SPDX-License-Identifier: BSD-2-Clause
// SADs of one tile against a column of vectors, one thread a column, everything in registers.
//
// The tile's rows stay in registers while the reference's rows pass by, one load each. A reference row meets every row
// of the tile at once: sums[i] is the SAD of the tile's rows 0..i for the vector that puts row i onto this reference
// row, so that sums[i] = sums[i-1] of the reference row before + the difference of row i. The last one is complete.
// The accumulating instruction adds and moves in one, so the loop holds hardly anything but the differences.
#pragma once

#include "cuda/packed_arithmetic.cuh"

namespace tandem::cuda {

/// Samples of a tile and of the reference where its first vector points.
struct TileSource {
    const std::uint32_t* current;
    const std::uint32_t* reference;
    int current_stride, reference_stride;
};

template <int words, int rows> class SadSweep {
  public:
    __device__ explicit SadSweep(const TileSource& source)
        : reference_(source.reference), stride_(source.reference_stride) {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                current_[i][w] = __ldg(source.current + i * source.current_stride + 4 * w);
            sums_[i] = 0;
        }
        load(next_);
    }

    /// Gives the SADs of the vectors 0 .. count - 1 (at least `rows`) down the column to keep.row(), and calls
    /// keep.fourth_row(n) after each fourth n but among the last `rows` - 1.
    template <class Keep> __device__ void run_whole(int count, Keep& keep) {
#pragma unroll
        for (int r = 0; r < rows - 1; ++r)
            add_row<0>(r + 1);
        int done = 0;
        for (; done + 4 <= count - rows + 1; done += 4) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                add_row<0>(rows);
                keep.row(sums_[rows - 1]);
            }
            keep.fourth_row(done + 4);
        }
        for (; done < count - rows + 1; ++done) {
            add_row<0>(rows);
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
        for (int r = 0; r < count + height - 1; ++r) {
#pragma unroll
            for (int w = 0; w < words; ++w)
                next_[w] &= mask[w];
            add_row<0>(rows);
            if (r < height - 1) continue;
            std::uint32_t sum = sums_[0];
#pragma unroll
            for (int i = 1; i < rows; ++i)
                sum = i == height - 1 ? sums_[i] : sum;
            keep.row(sum);
            const int done = r - height + 2;
            if (done % 4 == 0) keep.fourth_row(done);
        }
    }

  private:
    /// The columns of the last rows: what would belong to later vectors is left out.
    template <class Keep> __device__ void run_out(Keep& keep) {
#pragma unroll
        for (int first = 1; first < rows; ++first) {
            add_rows(first, rows);
            keep.row(sums_[rows - 1]);
        }
    }

    __device__ void load(std::uint32_t (&line)[words]) const {
#pragma unroll
        for (int w = 0; w < words; ++w)
            line[w] = __ldg(reference_ + 4 * w);
    }

    template <int first> __device__ void add_row(int end) { add_rows(first, end); }

    /// One reference row against the tile's rows first .. end - 1; the next one is on its way meanwhile.
    __device__ __forceinline__ void add_rows(int first, int end) {
        std::uint32_t line[words];
#pragma unroll
        for (int w = 0; w < words; ++w)
            line[w] = next_[w];
        reference_ += stride_;
        load(next_);
#pragma unroll
        for (int w = 0; w < words; ++w) {
#pragma unroll
            for (int i = rows - 1; i >= 0; --i) {
                if (i < first || i >= end) continue;
                const std::uint32_t before = w > 0 ? sums_[i] : i > 0 ? sums_[i - 1] : 0;
                sums_[i] = add_absolute_differences(current_[i][w], line[w], before);
            }
        }
    }

    std::uint32_t current_[rows][words];
    std::uint32_t sums_[rows];
    std::uint32_t next_[words];
    const std::uint32_t* reference_;
    std::ptrdiff_t stride_;
};

} // namespace tandem::cuda
