// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/distortion_rows.h"

#include <algorithm>
#include <array>
#include <limits>

#include "machine/kernel_table.h"

namespace tandem {

namespace {

template <class From, class To> void sum_scalar(const From* const* rows, int n, int count, To* sums) {
    for (int i = 0; i < count; ++i) {
        std::uint32_t sum = 0;
        for (int row = 0; row < n; ++row)
            sum += rows[row][i];
        sums[i] = static_cast<To>(sum);
    }
}

template <class Distortion>
std::uint32_t least_scalar(const Distortion* distortions, const std::uint32_t* rates, int count) {
    std::uint32_t least = std::numeric_limits<Distortion>::max();
    for (int i = 0; i < count; ++i)
        least = std::min(least, distortions[i] + (rates ? rates[i] : 0));
    return least;
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

constexpr DistortionRowKernels scalar_kernels{SimdLevel::scalar,
                                              sum_scalar<std::uint16_t, std::uint16_t>,
                                              sum_scalar<std::uint32_t, std::uint32_t>,
                                              sum_scalar<std::uint16_t, std::uint32_t>,
                                              least_scalar<std::uint16_t>,
                                              least_scalar<std::uint32_t>,
                                              within_scalar<std::uint16_t>,
                                              within_scalar<std::uint32_t>};
#ifdef TANDEM_SIMD
constexpr DistortionRowKernels avx2_kernels{SimdLevel::avx2,   sum_narrow_avx2, sum_wide_avx2,      sum_widening_avx2,
                                            least_narrow_avx2, least_wide_avx2, within_narrow_avx2, within_wide_avx2};
constexpr DistortionRowKernels avx512_kernels{SimdLevel::avx512,    sum_narrow_avx512,   sum_wide_avx512,
                                              sum_widening_avx512,  least_narrow_avx512, least_wide_avx512,
                                              within_narrow_avx512, within_wide_avx512};
constexpr std::array<const DistortionRowKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const DistortionRowKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const DistortionRowKernels* const> all_distortion_row_kernels() { return runnable_rows(kernel_table); }

const DistortionRowKernels& distortion_row_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
