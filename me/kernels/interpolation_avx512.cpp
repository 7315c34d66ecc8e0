// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/kernels/interpolation_variants.h"

namespace tandem {

void half_pel_rows_avx512(const std::uint8_t* above, const std::uint8_t* below, int count, std::uint8_t* horizontal,
                          std::uint8_t* vertical, std::uint8_t* diagonal) {
    for (int x = 0; x < count; x += 64) {
        const __mmask64 lanes = count - x >= 64 ? ~__mmask64{0} : (__mmask64{1} << (count - x)) - 1;
        const __m512i a = _mm512_maskz_loadu_epi8(lanes, above + x), b = _mm512_maskz_loadu_epi8(lanes, above + x + 1);
        const __m512i c = _mm512_maskz_loadu_epi8(lanes, below + x), d = _mm512_maskz_loadu_epi8(lanes, below + x + 1);
        const __m512i mean_ab = _mm512_avg_epu8(a, b);
        const __m512i mean_cd = _mm512_avg_epu8(c, d);
        // As in interpolation_avx2.cpp: the mean of means is one too large where their sum is odd and one was rounded
        // up.
        const __m512i rounded_up = _mm512_or_si512(_mm512_xor_si512(a, b), _mm512_xor_si512(c, d));
        const __m512i too_large =
            _mm512_and_si512(_mm512_and_si512(rounded_up, _mm512_xor_si512(mean_ab, mean_cd)), _mm512_set1_epi8(1));
        _mm512_mask_storeu_epi8(horizontal + x, lanes, mean_ab);
        _mm512_mask_storeu_epi8(vertical + x, lanes, _mm512_avg_epu8(a, c));
        _mm512_mask_storeu_epi8(diagonal + x, lanes, _mm512_sub_epi8(_mm512_avg_epu8(mean_ab, mean_cd), too_large));
    }
}

/// As the scalar one, compiled for these instructions: files of different ones share no inline function.
void bilinear_row_avx512(const std::uint8_t* above, const std::uint8_t* below, int count, int ax, int ay,
                         std::uint8_t* out) {
    const int a = (16 - ax) * (16 - ay), b = ax * (16 - ay), c = (16 - ax) * ay, d = ax * ay;
    for (int x = 0; x < count; ++x) {
        out[x] =
            static_cast<std::uint8_t>((a * above[x] + b * above[x + 1] + c * below[x] + d * below[x + 1] + 128) >> 8);
    }
}

} // namespace tandem
