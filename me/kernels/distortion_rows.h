// SPDX-License-Identifier: BSD-2-Clause
// Rows of distortions, one of each position: their sums, by which several block sizes are searched from the same cells,
// and what is good among them. Kernels per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/simd_level.h"
#include "me/kernels/distortion_row_variants.h"

namespace tandem {

/// Every kernel of every level equals the scalar one. Sums may be written up to 32 elements beyond `count`, and
/// distortions read as far.
struct DistortionRowKernels {
    SimdLevel level;
    /// sums[i] = rows[0][i] + ... + rows[n - 1][i].
    void (*sum_narrow)(const std::uint16_t* const* rows, int n, int count, std::uint16_t* sums);
    void (*sum_wide)(const std::uint32_t* const* rows, int n, int count, std::uint32_t* sums);
    void (*sum_widening)(const std::uint16_t* const* rows, int n, int count, std::uint32_t* sums);
    /// The least distortions[i] + rates[i]. Narrow: cut to 65535. `rates` may be null: all 0; they are below 2^31, and
    /// none are read beyond `count`.
    std::uint32_t (*least_narrow)(const std::uint16_t* distortions, const std::uint32_t* rates, int count);
    std::uint32_t (*least_wide)(const std::uint32_t* distortions, const std::uint32_t* rates, int count);
    /// Writes the positions i at which distortions[i] + rates[i] <= threshold, and returns how many. Narrow: with both
    /// sides cut to 65535, so that some more may be among them.
    int (*within_narrow)(const std::uint16_t* distortions, const std::uint32_t* rates, int count,
                         std::uint32_t threshold, std::uint16_t* found);
    int (*within_wide)(const std::uint32_t* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                       std::uint16_t* found);
};

const DistortionRowKernels& distortion_row_kernels();
std::span<const DistortionRowKernels* const> all_distortion_row_kernels();

} // namespace tandem
