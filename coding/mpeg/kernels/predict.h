// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation at half-pel positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/simd_level.h"

namespace tandem {

/// Kernels equal to the scalar ones bit for bit. Widths 8 and 16, heights 8 and 16.
struct PredictKernels {
    SimdLevel level;
    /// Copies a width x height block from `reference` at half-pel phase (half_x, half_y in 0..1):
    /// (a+b+1)>>1 along one axis, (a+b+c+d+2)>>2 along both. Reads one column and row more where the phase asks for it.
    void (*half_pel)(const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x, int half_y, int width,
                     int height, std::uint8_t* out, std::ptrdiff_t out_stride);
    /// out = (a + b + 1) >> 1.
    void (*average)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                    int width, int height, std::uint8_t* out, std::ptrdiff_t out_stride);
};

const PredictKernels& predict_kernels();
std::span<const PredictKernels* const> all_predict_kernels();

} // namespace tandem
