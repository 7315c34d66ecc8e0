// SPDX-License-Identifier: BSD-2-Clause
#include "video/quality/quality_kernels.h"

#include <array>

#include "machine/kernel_table.h"

namespace tandem {

namespace {

constexpr QualityKernels scalar{SimdLevel::scalar, squared_error_scalar, ssim_cells_scalar};
#ifdef TANDEM_SIMD
constexpr QualityKernels avx2{SimdLevel::avx2, squared_error_avx2, ssim_cells_avx2};
constexpr QualityKernels avx512{SimdLevel::avx512, squared_error_avx512, ssim_cells_avx2};
constexpr std::array<const QualityKernels*, 3> kernel_table{&scalar, &avx2, &avx512};
#else
constexpr std::array<const QualityKernels*, 1> kernel_table{&scalar};
#endif

} // namespace

std::span<const QualityKernels* const> all_quality_kernels() { return runnable_rows(kernel_table); }

const QualityKernels& quality_kernels() { return row_in_force(kernel_table); }

std::uint64_t squared_error_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                   std::ptrdiff_t b_stride, int width, int height) {
    std::uint64_t total = 0;
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride) {
        for (int x = 0; x < width; ++x) {
            const int difference = a[x] - b[x];
            total += static_cast<std::uint64_t>(difference * difference);
        }
    }
    return total;
}

void ssim_cells_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       int count, SsimSums* sums) {
    for (int i = 0; i < count; ++i, a += 4, b += 4) {
        SsimSums cell{};
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4; ++x) {
                const std::int32_t p = a[y * a_stride + x], q = b[y * b_stride + x];
                cell.a += p;
                cell.b += q;
                cell.squares += p * p + q * q;
                cell.product += p * q;
            }
        }
        sums[i] = cell;
    }
}

} // namespace tandem
