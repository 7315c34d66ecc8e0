// SPDX-License-Identifier: BSD-2-Clause
// Rows of bilinear interpolation, as a table of kernels per SIMD level.
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
};

const InterpolationKernels& interpolation_kernels();
std::span<const InterpolationKernels* const> all_interpolation_kernels();

} // namespace tandem
