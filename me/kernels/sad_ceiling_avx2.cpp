// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/kernels/sad_ceiling_variants.h"

namespace tandem {

namespace {

/// As in sad_ceiling_avx512.cpp; `add` is the two instructions.
template <class Add> std::uint64_t eight_chains(std::uint64_t rounds, const Add& add) {
    const __m256i block = _mm256_set1_epi32(0x12345678), samples = _mm256_set1_epi32(0x09ABCDEF);
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (; rounds > 0; --rounds) {
        add(s0, block, samples);
        add(s1, block, samples);
        add(s2, block, samples);
        add(s3, block, samples);
        add(s4, block, samples);
        add(s5, block, samples);
        add(s6, block, samples);
        add(s7, block, samples);
    }
    const __m256i low = _mm256_add_epi16(_mm256_add_epi16(s0, s1), _mm256_add_epi16(s2, s3));
    const __m256i high = _mm256_add_epi16(_mm256_add_epi16(s4, s5), _mm256_add_epi16(s6, s7));
    const __m128i all = _mm256_castsi256_si128(_mm256_add_epi16(low, high));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(all));
}

} // namespace

std::uint64_t bare_sads_avx2(std::uint64_t rounds) {
    return eight_chains(rounds, [](__m256i& sum, const __m256i& block, const __m256i& samples) {
        __m256i distances;
        asm volatile("vmpsadbw $0, %[block], %[samples], %[distances]\n\t"
                     "vpaddusw %[distances], %[sum], %[sum]"
                     : [sum] "+x"(sum), [distances] "=&x"(distances)
                     : [samples] "x"(samples), [block] "x"(block));
    });
}

std::uint64_t bare_sads_psadbw_avx2(std::uint64_t rounds) {
    return eight_chains(rounds, [](__m256i& sum, const __m256i& block, const __m256i& samples) {
        __m256i distances;
        asm volatile("vpsadbw %[block], %[samples], %[distances]\n\t"
                     "vpaddw %[distances], %[sum], %[sum]"
                     : [sum] "+x"(sum), [distances] "=&x"(distances)
                     : [samples] "x"(samples), [block] "x"(block));
    });
}

} // namespace tandem
