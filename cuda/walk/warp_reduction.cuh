// SPDX-License-Identifier: BSD-2-Clause
// Minima and sums over lanes of a warp: one instruction from sm_80 on.
#pragma once

#include <cstdint>

#include "cuda/vector_key.h"

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

/// The least key of a warp, in all lanes.
__device__ inline VectorKey least(VectorKey key) {
    const auto high = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t least_high = least_of(0xFFFFFFFFu, high);
    const std::uint32_t low = high == least_high ? static_cast<std::uint32_t>(key) : 0xFFFFFFFFu;
    return static_cast<VectorKey>(least_high) << 32 | least_of(0xFFFFFFFFu, low);
}

} // namespace tandem::cuda
