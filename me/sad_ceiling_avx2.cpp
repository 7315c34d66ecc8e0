// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

/// As in sad_ceiling_avx512.cpp.
std::uint64_t bare_sads_avx2(std::uint64_t rounds) {
    const __m256i block = _mm256_set1_epi32(0x12345678), samples = _mm256_set1_epi32(0x09ABCDEF);
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    const auto add = [&block, &samples](__m256i& sum) {
        __m256i distances;
        asm volatile("vmpsadbw $0, %[block], %[samples], %[distances]\n\t"
                     "vpaddusw %[distances], %[sum], %[sum]"
                     : [sum] "+x"(sum), [distances] "=&x"(distances)
                     : [samples] "x"(samples), [block] "x"(block));
    };
    for (; rounds > 0; --rounds) {
        add(s0);
        add(s1);
        add(s2);
        add(s3);
        add(s4);
        add(s5);
        add(s6);
        add(s7);
    }
    const __m256i low = _mm256_add_epi16(_mm256_add_epi16(s0, s1), _mm256_add_epi16(s2, s3));
    const __m256i high = _mm256_add_epi16(_mm256_add_epi16(s4, s5), _mm256_add_epi16(s6, s7));
    const __m128i all = _mm256_castsi256_si128(_mm256_add_epi16(low, high));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(all));
}

} // namespace tandem
