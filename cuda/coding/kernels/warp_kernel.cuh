// SPDX-License-Identifier: BSD-2-Clause
// Kernels with a warp for each macroblock or slice, and memory that each warp's threads share.
#pragma once

#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

/// Warps of a group of threads.
inline constexpr int coding_warps = 4;
inline constexpr int coding_threads = coding_warps * Lanes::count;

inline unsigned groups_for(int warps) { return static_cast<unsigned>((warps + coding_warps - 1) / coding_warps); }

/// The number of this thread's warp in its row of groups.
__device__ inline int warp_number() {
    return static_cast<int>(blockIdx.x) * coding_warps + static_cast<int>(threadIdx.x) / Lanes::count;
}

/// The warp's own; holds nothing yet.
template <class Scratch> __device__ Scratch& scratch_of_warp() {
    __shared__ alignas(16) unsigned char memory[coding_warps * sizeof(Scratch)];
    return reinterpret_cast<Scratch*>(memory)[threadIdx.x / Lanes::count];
}

} // namespace tandem::cuda
