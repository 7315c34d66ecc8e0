// SPDX-License-Identifier: BSD-2-Clause
// The kernels of interpolation_kernels.h that are compiled for one instruction set each; interpolation.cpp makes the
// table.
// Plain declarations only: what a file of one instruction set includes must not define functions that others share.
#pragma once

#include <cstdint>

#define TANDEM_DECLARE_INTERPOLATION_VARIANTS(isa)                                                                     \
    void half_pel_rows_##isa(const std::uint8_t* above, const std::uint8_t* below, int count,                          \
                             std::uint8_t* horizontal, std::uint8_t* vertical, std::uint8_t* diagonal);                \
    void bilinear_row_##isa(const std::uint8_t* above, const std::uint8_t* below, int count, int ax, int ay,           \
                            std::uint8_t* out);                                                                        \
    void weighted_rows_##isa(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c,                      \
                             const std::uint8_t* d, int count, std::uint16_t* sums);                                   \
    void halved_row_##isa(const std::uint16_t* sums, int count, std::uint8_t* out);

namespace tandem {

TANDEM_DECLARE_INTERPOLATION_VARIANTS(avx2)
TANDEM_DECLARE_INTERPOLATION_VARIANTS(avx512)

} // namespace tandem

#undef TANDEM_DECLARE_INTERPOLATION_VARIANTS
