// SPDX-License-Identifier: BSD-2-Clause
// What files of AVX2 and of AVX-512 kernels share. For those alone: nothing here has a name outside the file that
// includes it.
#pragma once

#include <immintrin.h>

namespace tandem {

namespace {

/// So many bytes, from anywhere; the rest of the register is 0.
inline __m128i load4(const void* p) { return _mm_loadu_si32(p); }
inline __m128i load8(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
inline __m128i load16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/// Four bytes as a word, which set1 puts everywhere: one load without a permutation.
inline int word4(const void* p) {
    int word;
    __builtin_memcpy(&word, p, sizeof word);
    return word;
}

/// Two equal bits for each of 16 words: whether it is at most the limit's.
inline unsigned words_within(__m256i words, __m256i limit) {
    return static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_min_epu16(words, limit), words)));
}

inline void store32(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }

} // namespace

} // namespace tandem
