// SPDX-License-Identifier: BSD-2-Clause
// What every search by AVX-512 is made of. For files of that instruction set alone: nothing here has a name outside
// them.
#pragma once

#include <immintrin.h>

namespace tandem {

namespace {

/// sum + the SADs of four bytes at eight positions in each lane of 16 bytes of `there`, from the lane's byte
/// `first_byte` (0 or 4) on. vdbpsadbw's control picks which of the lane's four-byte words stand under positions 0-1,
/// 2-3, 4-5 and 6-7: words 0 1 1 2, or 1 2 2 3. The addition saturates, though nothing here needs it: Intel's
/// processors keep those off the only port of vdbpsadbw, and the plain ones not. Written out because GCC 12 copies sums
/// from register to register, which costs a tenth.
template <int first_byte> inline __m512i add_sads(__m512i sum, __m512i four, __m512i there) {
    __m512i sads;
    asm("vdbpsadbw %[control], %[there], %[four], %[sads]\n\t"
        "vpaddusw %[sads], %[sum], %[sum]"
        : [sum] "+v"(sum), [sads] "=&v"(sads)
        : [there] "vm"(there), [four] "v"(four), [control] "i"(first_byte == 0 ? 0x94 : 0xE9));
    return sum;
}

} // namespace

} // namespace tandem
