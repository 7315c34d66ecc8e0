// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdlib>

#include "me/elimination_kernels.h"

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

bool within(const BlockCells& level, int column, int row, std::int32_t limit) {
    std::int32_t sum = 0;
    for (int c = 0; c < level.count; ++c) {
        sum += std::abs(level.cells[c].sums[level.first + row * level.stride + column] - level.cells[c].value[0]);
    }
    return sum <= limit;
}

int survivors_scalar(const CellMeans&, const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     Position* found) {
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            if (within(cells, column, row, limits[row])) {
                found[n++] = {static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)};
            }
        }
    }
    return n;
}

constexpr EliminationKernels scalar_kernels{SimdLevel::scalar, slide_columns_scalar, add_shifted_scalar,
                                            pack_means_scalar, survivors_scalar};
#ifdef TANDEM_SIMD
constexpr EliminationKernels avx2_kernels{SimdLevel::avx2, slide_columns_avx2, add_shifted_avx2, pack_means_avx2,
                                          survivors_avx2};
constexpr EliminationKernels avx512_kernels{SimdLevel::avx512, slide_columns_avx512, add_shifted_avx512,
                                            pack_means_avx512, survivors_avx512};
constexpr std::array<const EliminationKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const EliminationKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const EliminationKernels* const> all_elimination_kernels() {
    return std::span(kernel_table)
        .first(std::min(kernel_table.size(), static_cast<std::size_t>(best_simd_level()) + 1));
}

const EliminationKernels& elimination_kernels() {
    return *kernel_table[std::min(kernel_table.size() - 1, static_cast<std::size_t>(simd_level()))];
}

} // namespace tandem
