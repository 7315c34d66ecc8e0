// SPDX-License-Identifier: BSD-2-Clause
// Arithmetic on four samples in a word.
#pragma once

#include <cstdint>

namespace tandem::cuda {

/// sum + |a0 - b0| + |a1 - b1| + |a2 - b2| + |a3 - b3| of the four bytes: one instruction (VABSDIFF4) from sm_75 to
/// sm_110; where newer chips emulate it, the difference and the sum are taken apart.
__device__ inline std::uint32_t add_absolute_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
#if __CUDA_ARCH__ >= 1200
    return __dp4a(__vabsdiffu4(a, b), 0x01010101u, sum);
#else
    std::uint32_t result;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
#endif
}

/// sum + the squares of the four differences.
__device__ inline std::uint32_t add_squared_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
    const std::uint32_t difference = __vabsdiffu4(a, b);
    return __dp4a(difference, difference, sum);
}

/// Keeps the first `samples` of a word's samples; all of them from 4 on, none from 0 down.
__device__ inline std::uint32_t word_mask(int samples) {
    return samples >= 4 ? 0xFFFFFFFFu : samples <= 0 ? 0 : (1u << (8 * samples)) - 1;
}

} // namespace tandem::cuda
