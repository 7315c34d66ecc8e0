// SPDX-License-Identifier: BSD-2-Clause
// The kernels of distortion.h that are compiled for one instruction set each; distortion.cpp makes the table.
// Plain declarations only: what a file of one instruction set includes must not define functions that others share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "me/kernels/positions.h"

/// sad_row() and sad_column() measure `count` positions beside or below one another, of which `reference` is the first.
#define TANDEM_DECLARE_DISTORTION_VARIANTS(isa)                                                                        \
    std::uint32_t sad_##isa(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,                     \
                            std::ptrdiff_t b_stride, int width, int height);                                           \
    std::uint32_t satd_##isa(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,                    \
                             std::ptrdiff_t b_stride, int width, int height);                                          \
    void sad_many_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride,                                    \
                        const std::uint8_t* const* references, std::ptrdiff_t reference_stride, int width, int height, \
                        int n, std::uint32_t* sads);                                                                   \
    void sad_row_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,      \
                       std::ptrdiff_t reference_stride, int width, int height, int count, std::uint32_t* sads);        \
    void sad_column_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,   \
                          std::ptrdiff_t reference_stride, int width, int height, int count, std::uint32_t* sads);     \
    int sads_within_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,   \
                          std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,               \
                          const std::int32_t* limits, MeasuredPosition* found);                                        \
    int ssds_within_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,   \
                          std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,               \
                          const std::int32_t* limits, MeasuredPosition* found);                                        \
    int satds_within_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,  \
                           std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,              \
                           const std::int32_t* limits, MeasuredPosition* found);                                       \
    void all_sads_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,     \
                        std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,                 \
                        std::uint16_t* sads, std::ptrdiff_t row_length);                                               \
    void all_ssds_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,     \
                        std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,                 \
                        std::uint32_t* ssds, std::ptrdiff_t row_length);                                               \
    void all_satds_##isa(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,    \
                         std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,                \
                         std::uint16_t* satds, std::ptrdiff_t row_length);

namespace tandem {

TANDEM_DECLARE_DISTORTION_VARIANTS(avx2)
TANDEM_DECLARE_DISTORTION_VARIANTS(avx512)

/// AVX-512's too.
std::uint32_t ssd_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       int width, int height);

/// The same.
std::uint32_t half_pel_sad_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x, int half_y);
unsigned half_pel_sads_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                            std::ptrdiff_t reference_stride, std::uint32_t more, std::uint32_t* sads);
unsigned sads_about_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* place,
                         std::ptrdiff_t stride, int width, int height, std::uint32_t most, std::uint32_t* sads);

/// The same: zero_mean_avx2.cpp.
std::uint32_t zsad_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                        int width, int height);
std::uint32_t ncc_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       int width, int height);
int zsads_within_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                      std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                      const std::int32_t* limits, MeasuredPosition* found);
int nccs_within_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                     std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                     const std::int32_t* limits, MeasuredPosition* found);

/// AVX2's where mpsadbw_is_slow().
int sads_within_psadbw_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                            std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                            const std::int32_t* limits, MeasuredPosition* found);
void all_sads_psadbw_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                          std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                          std::uint16_t* sads, std::ptrdiff_t row_length);

} // namespace tandem

#undef TANDEM_DECLARE_DISTORTION_VARIANTS
