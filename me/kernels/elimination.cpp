// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdlib>

#include "machine/kernel_table.h"
#include "me/kernels/elimination_kernels.h"

namespace tandem {

namespace {

std::uint8_t folded(int sum) { return static_cast<std::uint8_t>(std::abs(255 - std::abs(sum - 510))); }

void fine_row_scalar(const std::uint8_t* upper, const std::uint8_t* lower, int strips, const FineRow& row) {
    const int cells = strips * positions_per_strip / 2;
    for (int i = 0; i < 2 * cells; ++i) {
        const int sum = upper[i] + upper[i + 1] + lower[i] + lower[i + 1];
        (i % 2 == 0 ? row.even : row.odd)[i / 2] = static_cast<std::uint16_t>(sum);
    }
    for (int i = 0; i < 2 * strips * bytes_per_chunk; ++i) {
        const int half = i / 32, parity = i / 16 % 2, cell = 8 * half + i % 16;
        const int sum = cell < cells ? (parity == 0 ? row.even : row.odd)[cell] : 0;
        row.means[i] = static_cast<std::uint8_t>(sum / 4);
        row.folded[i] = cell < cells ? folded(sum) : 0;
    }
}

void coarse_row_scalar(const FineRow& upper, const FineRow& lower, int strips, std::uint8_t* means) {
    for (int i = 0; i < 2 * strips * bytes_per_chunk; ++i) {
        const int x = i / bytes_per_chunk * positions_per_chunk + i % bytes_per_chunk / 16 + 4 * (i % 16);
        means[i] = 0;
        if (x >= strips * positions_per_strip) continue;
        const std::uint16_t* above = (x % 2 == 0 ? upper.even : upper.odd) + x / 2;
        const std::uint16_t* below = (x % 2 == 0 ? lower.even : lower.odd) + x / 2;
        means[i] = static_cast<std::uint8_t>((above[0] + above[1] + below[0] + below[1]) / 16);
    }
}

/// With sums n a + r and n b + s of n samples, 0 <= r, s < n: |n (a - b) + r - s| >= n |a - b| - max(r, n - 1 - r).
int slack_of(int sum, int samples) { return std::max(sum % samples, samples - 1 - sum % samples); }

void block_bytes_scalar(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height, BlockBytes& bytes) {
    const auto sum_at = [&](int cell, int side) {
        const std::uint8_t* p = block + cell / (width / side) * side * stride + cell % (width / side) * side;
        int sum = 0;
        for (int i = 0; i < side * side; ++i)
            sum += p[i / side * stride + i % side];
        return sum;
    };
    const int coarse_cells = width * height / 16, fine_cells = width * height / 4;
    bytes.coarse_slack = bytes.fine_slack = 0;
    for (int i = 0; i < coarse_cells && coarse_cells <= most_block_bytes; ++i) {
        const int sum = sum_at(i, 4);
        bytes.coarse[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(sum / 16);
        bytes.coarse_slack += slack_of(sum, 16);
    }
    for (int i = 0; i < fine_cells && fine_cells <= most_block_bytes; ++i) {
        const int sum = sum_at(i, 2);
        bytes.fine[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(sum / 4);
        bytes.folded[static_cast<std::size_t>(i)] = folded(sum);
        bytes.fine_slack += slack_of(sum, 4);
    }
}

std::int32_t distance_of_sums(const BlockCells& cells, int column, int row) {
    std::int32_t sum = 0;
    for (int c = 0; c < cells.count; ++c)
        sum += std::abs(cells.cells[c].sums[cells.first + row * cells.stride + column] - cells.cells[c].value[0]);
    return sum;
}

/// A lower bound of the block's SAD.
std::int32_t bound_by(const CellBytes& cells, int place, int row) {
    const bool coarse = cells.side == 4;
    const int chunk = place / positions_per_chunk, in_chunk = place % positions_per_chunk;
    const int lane = coarse ? in_chunk % 4 : in_chunk / 16 * 2 + in_chunk % 2;
    const int first = coarse ? in_chunk / 4 : in_chunk % 16 / 2;
    const std::uint8_t* at = cells.plane + row * cells.stride + chunk * bytes_per_chunk + 16 * lane + first;
    const int pair = coarse ? bytes_per_chunk : bytes_per_chunk / 2; // From eight cells to the next eight.
    std::int32_t sum = 0;
    for (int y = 0; y < cells.rows; ++y) {
        for (int x = 0; x < 4 * cells.fours; ++x) {
            const int there = at[cells.side * y * cells.stride + x / 8 * pair + x % 8];
            sum += std::abs(there - cells.values[4 * cells.fours * y + x]);
        }
    }
    return std::max(cells.scale * sum - cells.slack, 0);
}

int survivors_scalar(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found) {
    int n = 0, left_by_coarse = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int place = cells.place + column;
            if (limits[row] < 0) continue;
            if (cells.coarse.plane) {
                if (bound_by(cells.coarse, place, row) > limits[row]) continue;
                if (4 * ++left_by_coarse > 3 * columns * rows) return hopeless;
            }
            std::int32_t bound =
                cells.fine.plane ? bound_by(cells.fine, place, row) : distance_of_sums(cells, column, row);
            if (bound > limits[row]) continue;
            if (cells.fine.plane) {
                const std::int32_t folded = bound_by(cells.folded, place, row);
                if (folded > limits[row]) continue;
                bound = std::max(std::min(bound, 65535 - cells.fine.slack), folded); // As words saturate.
            }
            found[n++] = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)},
                          static_cast<std::uint32_t>(bound)};
        }
    }
    return n;
}

constexpr EliminationKernels scalar_kernels{SimdLevel::scalar, fine_row_scalar, coarse_row_scalar, block_bytes_scalar,
                                            survivors_scalar};
#ifdef TANDEM_SIMD
// A block's bytes are made once per block, from few samples: 512 bits would save next to nothing.
constexpr EliminationKernels avx2_kernels{SimdLevel::avx2, fine_row_avx2, coarse_row_avx2, block_bytes_avx2,
                                          survivors_avx2};
constexpr EliminationKernels avx512_kernels{SimdLevel::avx512, fine_row_avx512, coarse_row_avx512, block_bytes_avx2,
                                            survivors_avx512};
constexpr std::array<const EliminationKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const EliminationKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const EliminationKernels* const> all_elimination_kernels() { return runnable_rows(kernel_table); }

const EliminationKernels& elimination_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
