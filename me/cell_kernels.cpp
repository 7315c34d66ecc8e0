// SPDX-License-Identifier: BSD-2-Clause
#include "me/cell_kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "video/kernel_table.h"

namespace tandem {

namespace {

void sad_row_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                    std::ptrdiff_t reference_stride, int width, int height, int count, std::uint16_t* sads) {
    for (int i = 0; i < count; ++i) {
        int sum = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x)
                sum += std::abs(current[y * current_stride + x] - reference[y * reference_stride + i + x]);
        }
        sads[i] = static_cast<std::uint16_t>(sum);
    }
}

void ssd_row_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                    std::ptrdiff_t reference_stride, int width, int height, int count, std::uint32_t* ssds) {
    for (int i = 0; i < count; ++i) {
        std::uint32_t sum = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int difference = current[y * current_stride + x] - reference[y * reference_stride + i + x];
                sum += static_cast<std::uint32_t>(difference * difference);
            }
        }
        ssds[i] = sum;
    }
}

template <class From, class To> void sum_scalar(const From* const* rows, int n, int count, To* sums) {
    for (int i = 0; i < count; ++i) {
        std::uint32_t sum = 0;
        for (int row = 0; row < n; ++row)
            sum += rows[row][i];
        sums[i] = static_cast<To>(sum);
    }
}

template <class Distortion>
int within_scalar(const Distortion* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                  std::uint16_t* found) {
    constexpr std::uint32_t most = std::numeric_limits<Distortion>::max();
    int n = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint32_t cost = distortions[i] + (rates ? rates[i] : 0);
        if (std::min(cost, most) <= std::min(threshold, most)) found[n++] = static_cast<std::uint16_t>(i);
    }
    return n;
}

constexpr CellKernels scalar_kernels{SimdLevel::scalar,
                                     sad_row_scalar,
                                     ssd_row_scalar,
                                     sum_scalar<std::uint16_t, std::uint16_t>,
                                     sum_scalar<std::uint32_t, std::uint32_t>,
                                     sum_scalar<std::uint16_t, std::uint32_t>,
                                     within_scalar<std::uint16_t>,
                                     within_scalar<std::uint32_t>};
#ifdef TANDEM_SIMD
constexpr CellKernels avx2_kernels{SimdLevel::avx2, cell_sad_row_avx2, cell_ssd_row_avx2,  sum_narrow_avx2,
                                   sum_wide_avx2,   sum_widening_avx2, within_narrow_avx2, within_wide_avx2};
constexpr CellKernels avx512_kernels{SimdLevel::avx512, cell_sad_row_avx512, cell_ssd_row_avx512,  sum_narrow_avx512,
                                     sum_wide_avx512,   sum_widening_avx512, within_narrow_avx512, within_wide_avx512};
constexpr std::array<const CellKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const CellKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const CellKernels* const> all_cell_kernels() { return runnable_rows(kernel_table); }

const CellKernels& cell_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
