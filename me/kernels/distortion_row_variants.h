// SPDX-License-Identifier: BSD-2-Clause
// The kernels of distortion_rows.h that are compiled for one instruction set each. Plain declarations only.
#pragma once

#include <cstddef>
#include <cstdint>

#define TANDEM_DECLARE_DISTORTION_ROW_VARIANTS(isa)                                                                    \
    void sum_narrow_##isa(const std::uint16_t* const*, int, int, std::uint16_t*);                                      \
    void sum_wide_##isa(const std::uint32_t* const*, int, int, std::uint32_t*);                                        \
    void sum_widening_##isa(const std::uint16_t* const*, int, int, std::uint32_t*);                                    \
    std::uint32_t least_narrow_##isa(const std::uint16_t*, const std::uint32_t*, int);                                 \
    std::uint32_t least_wide_##isa(const std::uint32_t*, const std::uint32_t*, int);                                   \
    int within_narrow_##isa(const std::uint16_t*, const std::uint32_t*, int, std::uint32_t, std::uint16_t*);           \
    int within_wide_##isa(const std::uint32_t*, const std::uint32_t*, int, std::uint32_t, std::uint16_t*);

namespace tandem {

TANDEM_DECLARE_DISTORTION_ROW_VARIANTS(avx2)
TANDEM_DECLARE_DISTORTION_ROW_VARIANTS(avx512)

} // namespace tandem

#undef TANDEM_DECLARE_DISTORTION_ROW_VARIANTS
