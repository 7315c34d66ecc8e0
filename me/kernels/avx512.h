// SPDX-License-Identifier: BSD-2-Clause
// What files of AVX-512 kernels share. For those alone: nothing here has a name outside the file that includes it.
#pragma once

#include <cstdint>

#include "me/kernels/avx2.h"

namespace tandem {

namespace {

inline __m512i load64(const void* p) { return _mm512_loadu_si512(p); }

/// The first n of 32 lanes.
inline __mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

inline std::uint32_t sum_of_32(__m512i v) { return static_cast<std::uint32_t>(_mm512_reduce_add_epi32(v)); }

/// A word of 32 bits everywhere.
inline __m512i four_bytes(const void* p) { return _mm512_set1_epi32(word4(p)); }

/// vdbpsadbw sums the differences of four bytes at eight positions in each lane of 16 bytes; its control picks which of
/// the lane's four-byte words stand under positions 0-1, 2-3, 4-5 and 6-7: words 0 1 1 2 for positions from the lane's
/// byte 0 on, words 1 2 2 3 from byte 4 on.
constexpr int from_byte_0 = 0x94, from_byte_4 = 0xE9;

/// sum + those SADs of `four` and `there`. The addition saturates, though nothing here needs it: Intel's processors
/// keep those off the only port of vdbpsadbw, and the plain ones not. Written out because GCC 12 copies sums from
/// register to register, which costs a tenth.
template <int control> inline __m512i add_sads(__m512i sum, __m512i four, __m512i there) {
    __m512i sads;
    asm("vdbpsadbw %[control], %[there], %[four], %[sads]\n\t"
        "vpaddusw %[sads], %[sum], %[sum]"
        : [sum] "+v"(sum), [sads] "=&v"(sads)
        : [there] "vm"(there), [four] "v"(four), [control] "i"(control));
    return sum;
}

} // namespace

} // namespace tandem
