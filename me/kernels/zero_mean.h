// SPDX-License-Identifier: BSD-2-Clause
// What distortions that do not see brightness make of their sums: one rule for every processor. For files of one
// instruction set too: nothing here has a name outside the file that includes it.
#pragma once

#include <cstdint>

#ifndef TANDEM_HOST_DEVICE // As me/motion.h has it, which files of one instruction set may not include.
#ifdef __CUDACC__
#define TANDEM_HOST_DEVICE __host__ __device__
#else
#define TANDEM_HOST_DEVICE
#endif
#endif

namespace tandem {

namespace {

/// The mean of `samples` (1..16384) differences of bytes whose sum is `sum`, rounded to a whole number, halves up.
TANDEM_HOST_DEVICE constexpr int mean_of_differences(int sum, int samples) {
    constexpr int least = -255; // Division of what is not negative rounds down.
    const auto from_least = static_cast<std::uint32_t>(2 * (sum - least * samples) + samples);
    return static_cast<int>(from_least / static_cast<std::uint32_t>(2 * samples)) + least;
}

/// Of the samples of two blocks of at most 128x128.
struct CorrelationSums {
    std::int64_t a = 0, b = 0;           ///< Of the samples.
    std::int64_t aa = 0, bb = 0, ab = 0; ///< Of their products.
};

/// DistortionKernels::ncc. What is compared is exact in 64-bit integers and in a double's 53 bits but for the last
/// product, root and quotient, which IEEE 754 rounds alike everywhere.
[[maybe_unused]] std::uint32_t uncorrelated(const CorrelationSums& sums, int samples) {
    constexpr double unit = 65536;
    const std::int64_t of_a = samples * sums.aa - sums.a * sums.a, of_b = samples * sums.bb - sums.b * sums.b;
    if (of_a == 0 || of_b == 0) return of_a == of_b ? 0 : static_cast<std::uint32_t>(unit);
    const std::int64_t of_both = samples * sums.ab - sums.a * sums.b;
    const double r =
        static_cast<double>(of_both) / __builtin_sqrt(static_cast<double>(of_a) * static_cast<double>(of_b));
    return static_cast<std::uint32_t>(unit * (1 - r) + 0.5);
}

} // namespace

} // namespace tandem
