// SPDX-License-Identifier: BSD-2-Clause
// What a search by products of matrices reads of the reference: its samples as bytes, and sums of their squares.
#include "cuda/device/check.h"
#include "cuda/kernels.h"
#include "cuda/packed_arithmetic.cuh"

namespace tandem::cuda {

namespace {

constexpr int square_threads = 128;
constexpr int square_strip = 32; ///< Rows that a thread makes.
constexpr int most_block_rows = 16;
constexpr int rows_together = 4;

/// Samples of the reference four words apart as bytes side by side; edges beyond the word plane's margin repeat.
__device__ void copy_samples(const SearchTask& task, const CorrelationPlanes& planes, int thread, int first, int end) {
    if (16 * thread >= planes.pitch) return;
    const int last = task.picture_width + (task.padded ? task.range_x : 0) + word_plane_margin - 4;
    const int x = planes.first_x + 16 * thread;
    for (int row = first; row < min(end, planes.rows); ++row) {
        const std::uint32_t* from = task.reference.whole.origin +
                                    static_cast<std::ptrdiff_t>(planes.first_y + row) * task.reference.whole.stride;
        const uint4 samples{__ldg(from + min(x, last)), __ldg(from + min(x + 4, last)), __ldg(from + min(x + 8, last)),
                            __ldg(from + min(x + 12, last))};
        reinterpret_cast<uint4*>(planes.samples + static_cast<std::ptrdiff_t>(row) * planes.pitch)[thread] = samples;
    }
}

/// Squares of a row of a block.
__device__ std::uint32_t squares_of_row(const std::uint32_t* row, const std::uint32_t (&masks)[4]) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        const std::uint32_t word = masks[w] == 0 ? 0 : __ldg(row + 4 * w) & masks[w];
        sum = __dp4a(word, word, sum);
    }
    return sum;
}

/// The same for the next rows at once, so that their loads overlap; where the rows after them begin.
__device__ const std::uint32_t* squares_of_rows(const std::uint32_t* from, int stride, const std::uint32_t (&masks)[4],
                                                std::uint32_t (&rows)[rows_together]) {
#pragma unroll
    for (int i = 0; i < rows_together; ++i)
        rows[i] = squares_of_row(from + i * stride, masks);
    return from + rows_together * stride;
}

/// A column of sums: each adds a row to the one above it, and takes one away.
__device__ void sum_squares(const SearchTask& task, const SquareSums& squares, int column, int first, int end,
                            std::uint32_t* ring) {
    if (column >= squares.columns || first >= squares.rows) return;
    end = min(end, squares.rows);
    const int reach = task.padded ? task.range_x : 0;
    const int x = min(max(squares.first_x + column, -reach - word_plane_margin),
                      task.picture_width + reach + word_plane_margin - 16);
    const int stride = task.reference.whole.stride;
    const std::uint32_t* from =
        task.reference.whole.origin + static_cast<std::ptrdiff_t>(squares.first_y + first) * stride + x;
    const std::uint32_t masks[4] = {word_mask(squares.width), word_mask(squares.width - 4),
                                    word_mask(squares.width - 8), word_mask(squares.width - 12)};
    std::uint32_t sum = 0, rows[rows_together];
    for (int y = 0; y < squares.height; y += rows_together) {
        from = squares_of_rows(from, stride, masks, rows);
#pragma unroll
        for (int i = 0; i < rows_together; ++i) {
            if (y + i >= squares.height) continue;
            ring[(y + i) * square_threads] = rows[i];
            sum += rows[i];
        }
    }
    from -= (squares.height + rows_together - 1) / rows_together * rows_together * stride - squares.height * stride;
    std::uint32_t* out = squares.sums + static_cast<std::ptrdiff_t>(first) * squares.stride + column;
    for (int y = first, oldest = 0; y < end; y += rows_together) {
        from = squares_of_rows(from, stride, masks, rows);
#pragma unroll
        for (int i = 0; i < rows_together; ++i, out += squares.stride) {
            if (y + i >= end) continue;
            *out = sum;
            sum += rows[i] - ring[oldest * square_threads];
            ring[oldest * square_threads] = rows[i];
            oldest = oldest + 1 < squares.height ? oldest + 1 : 0;
        }
    }
}

__global__ void __launch_bounds__(square_threads) make_squares(const SearchTask task, const CorrelationPlanes planes) {
    __shared__ std::uint32_t rings[most_block_rows][square_threads];
    const int thread = static_cast<int>(blockIdx.x) * square_threads + static_cast<int>(threadIdx.x);
    const int first = static_cast<int>(blockIdx.y) * square_strip;
    if (blockIdx.z == 0) {
        copy_samples(task, planes, thread, first, first + square_strip);
    } else {
        sum_squares(task, planes.squares[blockIdx.z - 1], thread, first, first + square_strip, &rings[0][threadIdx.x]);
    }
}

} // namespace

void launch_make_squares(const SearchTask& task, const CorrelationPlanes& planes, cudaStream_t stream) {
    int columns = 0, rows = planes.rows;
    for (const SquareSums& squares : planes.squares) {
        columns = max(columns, squares.columns);
        rows = max(rows, squares.rows);
    }
    const dim3 grid(static_cast<unsigned>((columns + square_threads - 1) / square_threads),
                    static_cast<unsigned>((rows + square_strip - 1) / square_strip), 5);
    make_squares<<<grid, square_threads, 0, stream>>>(task, planes);
    check_launch("sums of squares");
}

} // namespace tandem::cuda
