// SPDX-License-Identifier: BSD-2-Clause
// Rows of bilinear interpolation and of half size, as a table of kernels per SIMD level.
#pragma once

#include <cstdint>
#include <span>

#include "machine/simd_level.h"

namespace tandem {

/// Every kernel of every level equals the scalar one bit for bit.
struct InterpolationKernels {
    SimdLevel level;
    /// Three half-pel rows from two neighbouring rows of samples, `count` >= 0 samples each. Reads count + 1 samples of
    /// each row: horizontal[i] = (above[i] + above[i+1] + 1) >> 1, vertical[i] = (above[i] + below[i] + 1) >> 1,
    /// diagonal[i] = (above[i] + above[i+1] + below[i] + below[i+1] + 2) >> 2.
    void (*half_pel_rows)(const std::uint8_t* above, const std::uint8_t* below, int count, std::uint8_t* horizontal,
                          std::uint8_t* vertical, std::uint8_t* diagonal);
    /// One row at the fraction (ax, ay) sixteenths between two rows, from count + 1 samples of each. At even ones this
    /// is the formula in eighths: weights, rounding and divisor are four times as large.
    void (*bilinear_row)(const std::uint8_t* above, const std::uint8_t* below, int count, int ax, int ay,
                         std::uint8_t* out);
    /// Four rows of samples below one another, weighted 1 3 3 1: sums[i] = a[i] + 3 * (b[i] + c[i]) + d[i].
    void (*weighted_rows)(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c, const std::uint8_t* d,
                          int count, std::uint16_t* sums);
    /// Half as many samples of such sums, weighted in the same way: out[i] = (sums[2i] + 3 * (sums[2i+1] + sums[2i+2])
    /// + sums[2i+3] + 32) >> 6.
    void (*halved_row)(const std::uint16_t* sums, int count, std::uint8_t* out);
};

const InterpolationKernels& interpolation_kernels();
std::span<const InterpolationKernels* const> all_interpolation_kernels();

} // namespace tandem
