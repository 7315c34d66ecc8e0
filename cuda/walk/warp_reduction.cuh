// SPDX-License-Identifier: BSD-2-Clause
// Minima and sums over lanes of a warp: one instruction from sm_80 on.
#pragma once

#include <cstdint>

namespace tandem::cuda {

/// The least value of the lanes of `group`, all of which call this, in each of them.
__device__ inline std::uint32_t least_of(unsigned group, std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(group, value);
#else
    std::uint32_t least = value;
    for (unsigned left = group; left != 0; left &= left - 1)
        least = min(least, __shfl_sync(group, value, __ffs(static_cast<int>(left)) - 1));
    return least;
#endif
}

/// The same for the sum.
__device__ inline std::uint32_t sum_of(unsigned group, std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(group, value);
#else
    std::uint32_t sum = 0;
    for (unsigned left = group; left != 0; left &= left - 1)
        sum += __shfl_sync(group, value, __ffs(static_cast<int>(left)) - 1);
    return sum;
#endif
}

} // namespace tandem::cuda
