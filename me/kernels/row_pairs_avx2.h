// SPDX-License-Identifier: BSD-2-Clause
// SADs of blocks of 16x16 by AVX2, two rows an instruction. For files of AVX2 kernels alone: nothing here has a name
// outside the file that includes it.
#pragma once

#include "me/kernels/avx2.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

/// Written out because GCC 12 copies sums from register to register, and adds them up as trees that it has no registers
/// for.
inline void add_sads(__m256i& sum, __m256i block, __m256i samples) {
    __m256i sads;
    asm("vpsadbw %[samples], %[block], %[sads]\n\t"
        "vpaddw %[sads], %[sum], %[sum]"
        : [sum] "+x"(sum), [sads] "=&x"(sads)
        : [samples] "x"(samples), [block] "x"(block));
}

/// A block of 16x16: rows y and y + 8 side by side, so that the pairs of a place one row further down are the same but
/// for one.
struct RowPairs {
    __m256i at[8];
    RowPairs(const std::uint8_t* p, std::ptrdiff_t stride) {
        for (int y = 0; y < 8; ++y)
            at[y] = pair(p + y * stride, stride);
    }
    static __m256i pair(const std::uint8_t* p, std::ptrdiff_t stride) {
        return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p)), load16(p + 8 * stride), 1);
    }
};

/// Four sums, of which each is in four parts of 64 bits, as four words.
inline __m128i words_of_sums(__m256i first, __m256i second, __m256i third, __m256i fourth) {
    const __m256i parts = _mm256_or_si256(_mm256_or_si256(first, _mm256_slli_epi64(second, 16)),
                                          _mm256_or_si256(_mm256_slli_epi64(third, 32), _mm256_slli_epi64(fourth, 48)));
    const __m128i halves = _mm_add_epi16(_mm256_castsi256_si128(parts), _mm256_extracti128_si256(parts, 1));
    return _mm_add_epi16(halves, _mm_unpackhi_epi64(halves, halves));
}
/// A bit for each of eight words that is at most `most`.
inline unsigned words_at_most(__m128i words, std::uint32_t most) {
    const __m128i limit = _mm_set1_epi16(static_cast<short>(most < UINT16_MAX ? most : UINT16_MAX));
    const __m128i good = _mm_cmpeq_epi16(_mm_min_epu16(words, limit), words);
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(good, _mm_setzero_si128())));
}
inline void store_words(__m128i four, std::uint32_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_cvtepu16_epi32(four));
}

} // namespace

} // namespace tandem
