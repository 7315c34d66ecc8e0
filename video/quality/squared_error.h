// SPDX-License-Identifier: BSD-2-Clause
// The sum of squared errors as a table of kernels per SIMD level. Included by the ISA files: keep it plain.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

/// Sum of (a - b)^2 over width x height samples; exact for any size up to 2^48 samples. Strides in samples.
using SquaredErrorFunction = std::uint64_t (*)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                               std::ptrdiff_t b_stride, int width, int height);

std::uint64_t squared_error_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                   std::ptrdiff_t b_stride, int width, int height);
std::uint64_t squared_error_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                 std::ptrdiff_t b_stride, int width, int height);
std::uint64_t squared_error_avx512(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                   std::ptrdiff_t b_stride, int width, int height);

} // namespace tandem
