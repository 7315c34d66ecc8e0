// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx2.h"
#include "me/kernels/interpolation_variants.h"

namespace tandem {

namespace {

/// (a + b + c + d + 2) >> 2 from the rounded means of a, b and c, d: the mean of the two means is one too large where
/// their sum is odd and one of them had been rounded up.
__m256i mean_of_four(__m256i mean_ab, __m256i odd_ab, __m256i mean_cd, __m256i odd_cd) {
    const __m256i too_large = _mm256_and_si256(
        _mm256_and_si256(_mm256_or_si256(odd_ab, odd_cd), _mm256_xor_si256(mean_ab, mean_cd)), _mm256_set1_epi8(1));
    return _mm256_sub_epi8(_mm256_avg_epu8(mean_ab, mean_cd), too_large);
}

} // namespace

void half_pel_rows_avx2(const std::uint8_t* above, const std::uint8_t* below, int count, std::uint8_t* horizontal,
                        std::uint8_t* vertical, std::uint8_t* diagonal) {
    int x = 0;
    for (; x + 32 <= count; x += 32) {
        const __m256i a = load32(above + x), b = load32(above + x + 1), c = load32(below + x),
                      d = load32(below + x + 1);
        const __m256i mean_ab = _mm256_avg_epu8(a, b);
        const __m256i mean_cd = _mm256_avg_epu8(c, d);
        store32(horizontal + x, mean_ab);
        store32(vertical + x, _mm256_avg_epu8(a, c));
        store32(diagonal + x, mean_of_four(mean_ab, _mm256_xor_si256(a, b), mean_cd, _mm256_xor_si256(c, d)));
    }
    for (; x < count; ++x) {
        const int top = above[x] + above[x + 1];
        const int bottom = below[x] + below[x + 1];
        horizontal[x] = static_cast<std::uint8_t>((top + 1) >> 1);
        vertical[x] = static_cast<std::uint8_t>((above[x] + below[x] + 1) >> 1);
        diagonal[x] = static_cast<std::uint8_t>((top + bottom + 2) >> 2);
    }
}

/// As the scalar one, compiled for these instructions: files of different ones share no inline function.
void bilinear_row_avx2(const std::uint8_t* above, const std::uint8_t* below, int count, int ax, int ay,
                       std::uint8_t* out) {
    const int a = (16 - ax) * (16 - ay), b = ax * (16 - ay), c = (16 - ax) * ay, d = ax * ay;
    for (int x = 0; x < count; ++x) {
        out[x] =
            static_cast<std::uint8_t>((a * above[x] + b * above[x + 1] + c * below[x] + d * below[x + 1] + 128) >> 8);
    }
}

void weighted_rows_avx2(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c, const std::uint8_t* d,
                        int count, std::uint16_t* sums) {
    const auto words = [](const std::uint8_t* p) { return _mm256_cvtepu8_epi16(load16(p)); };
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const __m256i inner = _mm256_add_epi16(words(b + x), words(c + x));
        const __m256i outer = _mm256_add_epi16(words(a + x), words(d + x));
        store32(sums + x, _mm256_add_epi16(outer, _mm256_add_epi16(inner, _mm256_add_epi16(inner, inner))));
    }
    for (; x < count; ++x)
        sums[x] = static_cast<std::uint16_t>(a[x] + 3 * (b[x] + c[x]) + d[x]);
}

void halved_row_avx2(const std::uint16_t* sums, int count, std::uint8_t* out) {
    const __m256i left = _mm256_set1_epi32(3 << 16 | 1), right = _mm256_set1_epi32(1 << 16 | 3);
    const auto eight = [&](int x) {
        const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(load32(sums + 2 * x), left),
                                             _mm256_madd_epi16(load32(sums + 2 * x + 2), right));
        return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(32)), 6);
    };
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(eight(x), eight(x + 8)), 0xD8);
        const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x), bytes);
    }
    for (; x < count; ++x)
        out[x] = static_cast<std::uint8_t>(
            (sums[2 * x] + 3 * (sums[2 * x + 1] + sums[2 * x + 2]) + sums[2 * x + 3] + 32) >> 6);
}

} // namespace tandem
