// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdlib>

#include "me/elimination_kernels.h"
#include "video/kernel_table.h"

namespace tandem {

namespace {

void slide_columns_scalar(const std::uint8_t* entering, const std::uint8_t* leaving, int count,
                          std::uint16_t* columns) {
    for (int i = 0; i < count; ++i)
        columns[i] = static_cast<std::uint16_t>(columns[i] + entering[i] - leaving[i]);
}

void add_shifted_scalar(const std::uint16_t* from, int shift, int count, std::uint16_t* to) {
    for (int i = 0; i < count; ++i)
        to[i] = static_cast<std::uint16_t>(from[i] + from[i + shift]);
}

void pack_means_scalar(const std::uint16_t* sums, int chunks, std::uint8_t* means) {
    for (int i = 0; i < chunks * bytes_per_chunk; ++i) {
        const int chunk = i / bytes_per_chunk, phase = i % bytes_per_chunk / 16, cell = i % 16;
        means[i] = static_cast<std::uint8_t>(sums[chunk * positions_per_chunk + phase + 4 * cell] / 16);
    }
}

void pack_fine_means_scalar(const std::uint8_t* upper, const std::uint8_t* lower, int chunks, std::uint8_t* means) {
    for (int i = 0; i < chunks * bytes_per_chunk; ++i) {
        const int chunk = i / bytes_per_chunk, lane = i % bytes_per_chunk / 16, cell = i % 16;
        const int x = chunk * positions_per_chunk + lane / 2 + 16 * (lane % 2) + 2 * cell;
        means[i] = static_cast<std::uint8_t>((upper[x] + upper[x + 1] + lower[x] + lower[x + 1]) / 4);
    }
}

std::int32_t distance_of_sums(const BlockCells& cells, int column, int row) {
    std::int32_t sum = 0;
    for (int c = 0; c < cells.count; ++c)
        sum += std::abs(cells.cells[c].sums[cells.first + row * cells.stride + column] - cells.cells[c].value[0]);
    return sum;
}

/// A lower bound of the block's SAD.
std::int32_t bound_by_means(const BlockCells& cells, const CellMeans& means, int column, int row) {
    const int chunk = (cells.place + column) / positions_per_chunk,
              place = (cells.place + column) % positions_per_chunk;
    const int lane = means.side == 4 ? place % 4 : place % 2 * 2 + place / 16;
    const int first = means.side == 4 ? place / 4 : place % 16 / 2;
    const std::uint8_t* at = means.plane + row * means.stride + chunk * bytes_per_chunk + 16 * lane + first;
    std::int32_t sum = 0;
    for (int y = 0; y < means.rows; ++y) {
        for (int x = 0; x < 4 * means.fours; ++x) {
            const int there = at[means.side * y * means.stride + x / 8 * bytes_per_chunk + x % 8];
            sum += std::abs(there - means.values[4 * means.fours * y + x]);
        }
    }
    return std::max(means.side * means.side * sum - means.slack, 0);
}

int survivors_scalar(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found) {
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            if (cells.coarse.plane && bound_by_means(cells, cells.coarse, column, row) > limits[row]) continue;
            const std::int32_t bound = cells.fine.plane ? bound_by_means(cells, cells.fine, column, row)
                                                        : distance_of_sums(cells, column, row);
            if (bound > limits[row]) continue;
            found[n++] = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)},
                          static_cast<std::uint32_t>(bound)};
        }
    }
    return n;
}

constexpr EliminationKernels scalar_kernels{SimdLevel::scalar, slide_columns_scalar,   add_shifted_scalar,
                                            pack_means_scalar, pack_fine_means_scalar, survivors_scalar};
#ifdef TANDEM_SIMD
constexpr EliminationKernels avx2_kernels{SimdLevel::avx2, slide_columns_avx2,   add_shifted_avx2,
                                          pack_means_avx2, pack_fine_means_avx2, survivors_avx2};
constexpr EliminationKernels avx512_kernels{SimdLevel::avx512, slide_columns_avx512,   add_shifted_avx512,
                                            pack_means_avx512, pack_fine_means_avx512, survivors_avx512};
constexpr std::array<const EliminationKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const EliminationKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const EliminationKernels* const> all_elimination_kernels() { return runnable_rows(kernel_table); }

const EliminationKernels& elimination_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
