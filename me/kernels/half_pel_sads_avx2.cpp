// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/row_pairs_avx2.h"

namespace tandem {

/// Pairs of rows that half pels above and below have in common are loaded once.
void half_pel_sads_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const HalfPelPlace& place,
                        std::uint32_t* sads) {
    const std::ptrdiff_t stride = place.stride;
    const RowPairs block(current, current_stride);
    const __m256i none = _mm256_setzero_si256();
    __m256i above = none, below = none, left_above = none, right_above = none, left_below = none, right_below = none;
    __m256i left = none, right = none, whole = none;
#pragma GCC unroll 9
    for (int y = 0; y <= 8; ++y) {
        const __m256i rows = RowPairs::pair(place.below + (y - 1) * stride, stride);
        if (y < 8) add_sads(above, block.at[y], rows);
        if (y > 0) add_sads(below, block.at[y - 1], rows);
    }
#pragma GCC unroll 9
    for (int y = 0; y <= 8; ++y) {
        const std::uint8_t* p = place.both + (y - 1) * stride;
        const __m256i before = RowPairs::pair(p - 1, stride), rows = RowPairs::pair(p, stride);
        if (y < 8) add_sads(left_above, block.at[y], before);
        if (y < 8) add_sads(right_above, block.at[y], rows);
        if (y > 0) add_sads(left_below, block.at[y - 1], before);
        if (y > 0) add_sads(right_below, block.at[y - 1], rows);
    }
#pragma GCC unroll 8
    for (int y = 0; y < 8; ++y) {
        const std::uint8_t* p = place.right + y * stride;
        add_sads(left, block.at[y], RowPairs::pair(p - 1, stride));
        add_sads(right, block.at[y], RowPairs::pair(p, stride));
        add_sads(whole, block.at[y], RowPairs::pair(place.whole + y * stride, stride));
    }
    store_words(words_of_sums(left_above, above, right_above, left), sads);
    store_words(words_of_sums(whole, right, left_below, below), sads + 4);
    sads[8] = static_cast<std::uint16_t>(_mm_cvtsi128_si32(words_of_sums(right_below, none, none, none)));
}

} // namespace tandem
