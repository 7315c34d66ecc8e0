// SPDX-License-Identifier: BSD-2-Clause
// What the temporal filter does with samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/simd_level.h"

namespace tandem {

/// Of the interpolation: six taps, two of them before a sample.
inline constexpr int fine_taps = 6, fine_taps_before = 2;

/// Sums over a square of gradients (x to the right, y down), as the difference of the two samples beside one, and of
/// what is missing to the wanted sample.
struct GradientSums {
    std::int32_t xx, xy, yy, x_missing, y_missing;
};

/// How much samples of a block count: falling(x) = (1 - x / 4)^4, 0 from x = 4 on.
struct SampleWeight {
    float most;                  ///< Where they are equal.
    float half_inverse_variance; ///< x is the squared difference times this.
};

/// Kernels equal to the scalar ones bit for bit.
struct FilterKernels {
    SimdLevel level;
    /// A square of `side` (8 or 16) samples between samples, by rows: `from` is the first sample that its first one
    /// needs, fine_taps_before to the left and above. `across` and `down` are fine_taps weights in 64ths whose sum is
    /// 64, those above 0 at most 82. Rounded after each direction.
    void (*interpolate)(const std::uint8_t* from, std::ptrdiff_t stride, const std::int16_t* across,
                        const std::int16_t* down, int side, std::uint8_t* to);
    /// Of the predicted square of 16x16 samples but for its outermost ones, against `wanted`. Reads the samples beside
    /// the square's rows, too.
    GradientSums (*gradients)(const std::uint8_t* predicted, std::ptrdiff_t stride, const std::uint8_t* wanted,
                              std::ptrdiff_t wanted_stride);
    /// For the 64 samples of a block of 8x8: added += w * (other - own), weights += w.
    void (*weigh)(const std::uint8_t* own, std::ptrdiff_t own_stride, const std::uint8_t* other,
                  std::ptrdiff_t other_stride, SampleWeight weight, float* added, float* weights);
};

const FilterKernels& filter_kernels();
std::span<const FilterKernels* const> all_filter_kernels();

extern const FilterKernels scalar_filter_kernels;
extern const FilterKernels avx2_filter_kernels;

} // namespace tandem
