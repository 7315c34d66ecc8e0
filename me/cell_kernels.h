// SPDX-License-Identifier: BSD-2-Clause
// Distortions of small cells at rows of positions, and their sums: several block sizes are searched from the same
// cells. Kernels per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "me/cell_variants.h"
#include "video/simd_level.h"

namespace tandem {

/// Every kernel of every level equals the scalar one. A row holds one value per position; rows that are written may be
/// written up to 32 elements beyond `count`, and rows of distortions read as far. References may be read up to 64 bytes
/// beyond what the last position covers, as every Plane allows.
struct CellKernels {
    SimdLevel level;
    /// SADs of a cell of at most 256 samples, whose width is a multiple of 4 (any width: the scalar one).
    void (*sad_row)(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                    std::ptrdiff_t reference_stride, int width, int height, int count, std::uint16_t* sads);
    /// SSDs of a cell, whose width is even (any width: the scalar one).
    void (*ssd_row)(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                    std::ptrdiff_t reference_stride, int width, int height, int count, std::uint32_t* ssds);
    /// sums[i] = rows[0][i] + ... + rows[n - 1][i].
    void (*sum_narrow)(const std::uint16_t* const* rows, int n, int count, std::uint16_t* sums);
    void (*sum_wide)(const std::uint32_t* const* rows, int n, int count, std::uint32_t* sums);
    void (*sum_widening)(const std::uint16_t* const* rows, int n, int count, std::uint32_t* sums);
    /// Writes the positions i at which distortions[i] + rates[i] <= threshold, and returns how many. Narrow: with both
    /// sides cut to 65535, so that some more may be among them. `rates` may be null: all 0; they are below 2^31, and
    /// none are read beyond `count`.
    int (*within_narrow)(const std::uint16_t* distortions, const std::uint32_t* rates, int count,
                         std::uint32_t threshold, std::uint16_t* found);
    int (*within_wide)(const std::uint32_t* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                       std::uint16_t* found);
};

const CellKernels& cell_kernels();
std::span<const CellKernels* const> all_cell_kernels();

} // namespace tandem
