// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "video/quality/ssim_cells.h"

namespace tandem {

namespace {

inline __m256i widened(const std::uint8_t* samples) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(samples)));
}

inline void store(SsimSums* to, __m128i sums) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), sums); }

/// Four cells. Sums of two neighbouring columns come from multiplying and adding pairs, those of four from hadd, which
/// leaves a0 a1 b0 b1 (cells 0 and 1) in the low half and a2 a3 b2 b3 in the high one.
inline void four_cells(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       SsimSums* sums) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sum_a = _mm256_setzero_si256(), sum_b = sum_a, squares = sum_a, product = sum_a;
    for (int y = 0; y < 4; ++y) {
        const __m256i p = widened(a + y * a_stride), q = widened(b + y * b_stride);
        sum_a = _mm256_add_epi16(sum_a, p);
        sum_b = _mm256_add_epi16(sum_b, q);
        squares = _mm256_add_epi32(squares, _mm256_add_epi32(_mm256_madd_epi16(p, p), _mm256_madd_epi16(q, q)));
        product = _mm256_add_epi32(product, _mm256_madd_epi16(p, q));
    }
    const __m256 first =
        _mm256_castsi256_ps(_mm256_hadd_epi32(_mm256_madd_epi16(sum_a, ones), _mm256_madd_epi16(sum_b, ones)));
    const __m256 second = _mm256_castsi256_ps(_mm256_hadd_epi32(squares, product));
    const __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
    store(sums, _mm256_castsi256_si128(even));
    store(sums + 1, _mm256_castsi256_si128(odd));
    store(sums + 2, _mm256_extracti128_si256(even, 1));
    store(sums + 3, _mm256_extracti128_si256(odd, 1));
}

} // namespace

void ssim_cells_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                     int count, SsimSums* sums) {
    int i = 0;
    for (; i + 4 <= count; i += 4)
        four_cells(a + 4 * i, a_stride, b + 4 * i, b_stride, sums + i);
    if (i < count) ssim_cells_scalar(a + 4 * i, a_stride, b + 4 * i, b_stride, count - i, sums + i);
}

} // namespace tandem
