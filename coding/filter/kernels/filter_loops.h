// SPDX-License-Identifier: BSD-2-Clause
// The loops of filter_kernels.h, which the compiler makes vectors of: once for each instruction set, with names of
// their own in each file that includes them. Functions of others must not be called here: they would be compiled for it
// too.
#pragma once

#include "coding/filter/kernels/filter_kernels.h"

namespace tandem {
namespace {

/// Six weighted samples that are `step` apart, rounded. Sums fit into 16 bits also of sums: weights make at most 82 and
/// at least -18 of 64.
template <class Sample>
inline std::int16_t weighted(const Sample* s, std::ptrdiff_t step, const std::int16_t* weights) {
    const auto sum =
        static_cast<std::int16_t>(weights[0] * s[0] + weights[1] * s[step] + weights[2] * s[2 * step] +
                                  weights[3] * s[3 * step] + weights[4] * s[4 * step] + weights[5] * s[5 * step] + 32);
    return static_cast<std::int16_t>(sum >> 6);
}

template <int side>
inline void interpolate_square(const std::uint8_t* from, std::ptrdiff_t stride, const std::int16_t* x,
                               const std::int16_t* y, std::uint8_t* to) {
    constexpr int rows = side + fine_taps - 1;
    std::int16_t across[rows * side];
    for (int row = 0; row < rows; ++row, from += stride)
        for (int i = 0; i < side; ++i)
            across[row * side + i] = weighted(from + i, 1, x);
    for (int i = 0; i < side * side; ++i) {
        const std::int16_t value = weighted(across + i, side, y);
        to[i] = static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

inline void interpolate(const std::uint8_t* from, std::ptrdiff_t stride, const std::int16_t* across,
                        const std::int16_t* down, int side, std::uint8_t* to) {
    if (side == 8) return interpolate_square<8>(from, stride, across, down, to);
    interpolate_square<16>(from, stride, across, down, to);
}

/// All columns are summed up, since 14 are no whole vectors; those at the edges, whose neighbours are in other rows,
/// count nothing.
inline GradientSums gradients(const std::uint8_t* predicted, std::ptrdiff_t stride, const std::uint8_t* wanted,
                              std::ptrdiff_t wanted_stride) {
    constexpr int side = 16;
    static constexpr std::int16_t counts[side]{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    GradientSums sums{};
    for (int row = 1; row < side - 1; ++row) {
        const std::uint8_t *const p = predicted + row * stride, *const w = wanted + row * wanted_stride;
        for (int i = 0; i < side; ++i) {
            const auto x = static_cast<std::int16_t>((p[i + 1] - p[i - 1]) * counts[i]);
            const auto y = static_cast<std::int16_t>((p[i + stride] - p[i - stride]) * counts[i]);
            const auto missing = static_cast<std::int16_t>(w[i] - p[i]);
            sums.xx += x * x;
            sums.xy += x * y;
            sums.yy += y * y;
            sums.x_missing += x * missing;
            sums.y_missing += y * missing;
        }
    }
    return sums;
}

inline void weigh(const std::uint8_t* own, std::ptrdiff_t own_stride, const std::uint8_t* other,
                  std::ptrdiff_t other_stride, SampleWeight weight, float* added, float* weights) {
    constexpr int side = 8;
    const float quarter = weight.half_inverse_variance / 4;
    for (int row = 0; row < side; ++row, own += own_stride, other += other_stride, added += side, weights += side) {
        for (int i = 0; i < side; ++i) {
            const auto difference = static_cast<float>(other[i] - own[i]);
            const float left = 1 - difference * difference * quarter, root = left > 0 ? left : 0;
            const float w = weight.most * (root * root) * (root * root);
            added[i] += w * difference;
            weights[i] += w;
        }
    }
}

} // namespace
} // namespace tandem
