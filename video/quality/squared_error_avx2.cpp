// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "video/quality/squared_error.h"

namespace tandem {

namespace {

/// Eight 32-bit partial sums: |a - b| of 32 samples, widened, squared and added in pairs.
inline __m256i squares(__m256i a, __m256i b) {
    const __m256i difference = _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
    const __m256i low = _mm256_unpacklo_epi8(difference, _mm256_setzero_si256());
    const __m256i high = _mm256_unpackhi_epi8(difference, _mm256_setzero_si256());
    return _mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high));
}

inline __m256i widened(__m256i sums) {
    const __m256i zero = _mm256_setzero_si256();
    return _mm256_add_epi64(_mm256_unpacklo_epi32(sums, zero), _mm256_unpackhi_epi32(sums, zero));
}

} // namespace

std::uint64_t squared_error_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                 std::ptrdiff_t b_stride, int width, int height) {
    // A 32-bit lane takes 4 * 255^2 a step, so 16384 steps stay below 2^32; a row of up to 524288 samples is safe.
    constexpr int lanes = 32, longest_run = 16384 * lanes;
    __m256i total = _mm256_setzero_si256();
    std::uint64_t rest = 0;
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride) {
        int x = 0;
        while (width - x >= lanes) {
            const int end = width - x > longest_run ? x + longest_run : x + (width - x) / lanes * lanes;
            __m256i sums = _mm256_setzero_si256();
            for (; x < end; x += lanes) {
                sums = _mm256_add_epi32(sums, squares(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + x)),
                                                      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + x))));
            }
            total = _mm256_add_epi64(total, widened(sums));
        }
        for (; x < width; ++x) {
            const int difference = a[x] - b[x];
            rest += static_cast<std::uint64_t>(difference * difference);
        }
    }
    alignas(32) std::uint64_t parts[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(parts), total);
    return rest + parts[0] + parts[1] + parts[2] + parts[3];
}

} // namespace tandem
