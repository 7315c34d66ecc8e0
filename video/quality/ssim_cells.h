// SPDX-License-Identifier: BSD-2-Clause
// The sums that SSIM is made of. Included by the ISA files: keep it plain.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

/// Sums over the samples of both planes in some area of at most 64 samples: all exact, and so are products of two sums.
struct SsimSums {
    std::int32_t a, b;
    std::int32_t squares; ///< Of a and b together: SSIM needs only the sum of both variances.
    std::int32_t product;
};

/// Sums of `count` cells of 4x4 samples side by side. Strides in samples.
using SsimCellsFunction = void (*)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                   std::ptrdiff_t b_stride, int count, SsimSums* sums);

void ssim_cells_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       int count, SsimSums* sums);
void ssim_cells_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                     int count, SsimSums* sums);

} // namespace tandem
