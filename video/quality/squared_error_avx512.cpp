// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "video/quality/squared_error.h"

namespace tandem {

namespace {

/// Sixteen 32-bit partial sums: |a - b| of 64 samples, widened, squared and added in pairs.
inline __m512i squares(__m512i a, __m512i b) {
    const __m512i difference = _mm512_or_si512(_mm512_subs_epu8(a, b), _mm512_subs_epu8(b, a));
    const __m512i low = _mm512_unpacklo_epi8(difference, _mm512_setzero_si512());
    const __m512i high = _mm512_unpackhi_epi8(difference, _mm512_setzero_si512());
    return _mm512_add_epi32(_mm512_madd_epi16(low, low), _mm512_madd_epi16(high, high));
}

inline __m512i widened(__m512i sums) {
    const __m512i zero = _mm512_setzero_si512();
    return _mm512_add_epi64(_mm512_unpacklo_epi32(sums, zero), _mm512_unpackhi_epi32(sums, zero));
}

} // namespace

std::uint64_t squared_error_avx512(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                   std::ptrdiff_t b_stride, int width, int height) {
    // A 32-bit lane takes 4 * 255^2 a step, so 16384 steps stay below 2^32.
    constexpr int lanes = 64, longest_run = 16384 * lanes;
    __m512i total = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride) {
        int x = 0;
        while (width - x >= lanes) {
            const int end = width - x > longest_run ? x + longest_run : x + (width - x) / lanes * lanes;
            __m512i sums = _mm512_setzero_si512();
            for (; x < end; x += lanes) {
                sums = _mm512_add_epi32(sums, squares(_mm512_loadu_si512(a + x), _mm512_loadu_si512(b + x)));
            }
            total = _mm512_add_epi64(total, widened(sums));
        }
        if (x < width) {
            const __mmask64 mask = ~std::uint64_t{0} >> (lanes - (width - x));
            total = _mm512_add_epi64(
                total, widened(squares(_mm512_maskz_loadu_epi8(mask, a + x), _mm512_maskz_loadu_epi8(mask, b + x))));
        }
    }
    alignas(64) std::uint64_t parts[8];
    _mm512_store_si512(parts, total);
    std::uint64_t sum = 0;
    for (const std::uint64_t part : parts)
        sum += part;
    return sum;
}

} // namespace tandem
