// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/kernels/sad_ceiling_variants.h"

namespace tandem {

/// Eight chains, more than one addition's latency needs. The two instructions are written out: compilers put copies of
/// registers between them, which take the ports of both.
std::uint64_t bare_sads_avx512(std::uint64_t rounds) {
    const __m512i block = _mm512_set1_epi32(0x12345678), samples = _mm512_set1_epi32(0x09ABCDEF);
    __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    const auto add = [&block, &samples](__m512i& sum) {
        __m512i distances;
        asm volatile("vdbpsadbw $0x94, %[samples], %[block], %[distances]\n\t"
                     "vpaddusw %[distances], %[sum], %[sum]"
                     : [sum] "+v"(sum), [distances] "=&v"(distances)
                     : [samples] "v"(samples), [block] "v"(block));
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
    const __m512i low = _mm512_add_epi16(_mm512_add_epi16(s0, s1), _mm512_add_epi16(s2, s3));
    const __m512i high = _mm512_add_epi16(_mm512_add_epi16(s4, s5), _mm512_add_epi16(s6, s7));
    const __m128i all = _mm512_castsi512_si128(_mm512_add_epi16(low, high));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(all));
}

} // namespace tandem
