// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx512.h"
#include "me/kernels/elimination_variants.h"

namespace tandem {

namespace {

__m512i splat(short value) { return _mm512_set1_epi16(value); }

} // namespace

void fine_row_avx512(const std::uint8_t* upper, const std::uint8_t* lower, int strips, const FineRow& row) {
    const __m512i ones = _mm512_set1_epi8(1), most = splat(510), half = splat(255);
    const auto sums = [&](int i) {
        return _mm512_add_epi16(_mm512_maddubs_epi16(load64(upper + i), ones),
                                _mm512_maddubs_epi16(load64(lower + i), ones));
    };
    const auto fold = [&](__m512i v) {
        return _mm512_abs_epi16(_mm512_sub_epi16(half, _mm512_abs_epi16(_mm512_sub_epi16(v, most))));
    };
    // Bytes stand by eights, even and odd ones by turns: 0 to 3 of the even ones are words 0, 2, 4, 6.
    const __m512i low = _mm512_setr_epi64(0, 2, 1, 3, 2, 4, 3, 5), high = _mm512_setr_epi64(4, 6, 5, 7, 6, 8, 7, 9);
    __m512i means = _mm512_setzero_si512(), folded = means;
    for (int strip = 0; strip <= strips; ++strip) {
        __m512i next_means = _mm512_setzero_si512(), next_folded = next_means;
        if (strip < strips) {
            const __m512i even = sums(64 * strip), odd = sums(64 * strip + 1);
            _mm512_storeu_si512(row.even + 32 * strip, even);
            _mm512_storeu_si512(row.odd + 32 * strip, odd);
            next_means = _mm512_packus_epi16(_mm512_srli_epi16(even, 2), _mm512_srli_epi16(odd, 2));
            next_folded = _mm512_packus_epi16(fold(even), fold(odd));
        }
        if (strip > 0) {
            const std::ptrdiff_t at = std::ptrdiff_t{2 * bytes_per_chunk} * (strip - 1);
            _mm512_storeu_si512(row.means + at, _mm512_permutexvar_epi64(low, means));
            _mm512_storeu_si512(row.means + at + 64, _mm512_permutex2var_epi64(means, high, next_means));
            _mm512_storeu_si512(row.folded + at, _mm512_permutexvar_epi64(low, folded));
            _mm512_storeu_si512(row.folded + at + 64, _mm512_permutex2var_epi64(folded, high, next_folded));
        }
        means = next_means;
        folded = next_folded;
    }
}

void coarse_row_avx512(const FineRow& upper, const FineRow& lower, int strips, std::uint8_t* means) {
    const __m512i ones = splat(1);
    const __m512i phases = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15));
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    // The sums of 16 cells four samples apart.
    const auto sums = [&](const std::uint16_t* a, const std::uint16_t* b) {
        return _mm512_madd_epi16(_mm512_add_epi16(load64(a), load64(b)), ones);
    };
    const auto pair = [](__m512i a, __m512i b) {
        return _mm512_srli_epi16(_mm512_or_si512(a, _mm512_slli_epi32(b, 16)), 4);
    };
    __m512i now = _mm512_setzero_si512();
    for (int strip = 0; strip <= strips; ++strip) {
        __m512i next = _mm512_setzero_si512();
        if (strip < strips) {
            const int i = 32 * strip;
            const __m512i first = pair(sums(upper.even + i, lower.even + i), sums(upper.odd + i, lower.odd + i));
            const __m512i second =
                pair(sums(upper.even + i + 1, lower.even + i + 1), sums(upper.odd + i + 1, lower.odd + i + 1));
            next = _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(_mm512_packus_epi16(first, second), phases));
            _mm512_storeu_si512(means + 2 * bytes_per_chunk * strip, next);
        }
        if (strip > 0) {
            _mm512_storeu_si512(means + 2 * bytes_per_chunk * strip - bytes_per_chunk,
                                _mm512_alignr_epi8(next, now, 8));
        }
        now = next;
    }
}

} // namespace tandem
