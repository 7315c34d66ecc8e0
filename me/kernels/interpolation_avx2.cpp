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

} // namespace tandem
