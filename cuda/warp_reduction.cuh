// SPDX-License-Identifier: BSD-2-Clause
// Minima and sums over lanes of a warp: one instruction from sm_80 on.
#pragma once

#include <cstdint>

#include "cuda/vector_key.h"

namespace tandem::cuda {

/// Before sm_80: by halves where the group is a whole warp, else lane after lane.
template <class Combine>
__device__ std::uint32_t combined(unsigned group, std::uint32_t value, const Combine& combine) {
    if (group == 0xFFFFFFFFu) {
        for (int distance = 16; distance > 0; distance /= 2)
            value = combine(value, __shfl_xor_sync(group, value, distance));
        return value;
    }
    std::uint32_t all = __shfl_sync(group, value, __ffs(static_cast<int>(group)) - 1);
    for (unsigned left = group & (group - 1); left != 0; left &= left - 1)
        all = combine(all, __shfl_sync(group, value, __ffs(static_cast<int>(left)) - 1));
    return all;
}

/// The least value of the lanes of `group`, all of which call this, in each of them.
__device__ inline std::uint32_t least_of(unsigned group, std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(group, value);
#else
    return combined(group, value, [](std::uint32_t a, std::uint32_t b) { return min(a, b); });
#endif
}

/// The same for the sum.
__device__ inline std::uint32_t sum_of(unsigned group, std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(group, value);
#else
    return combined(group, value, [](std::uint32_t a, std::uint32_t b) { return a + b; });
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
