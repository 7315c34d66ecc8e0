// SPDX-License-Identifier: BSD-2-Clause
// Kernels with a warp for each macroblock or slice, and memory that each warp's threads share.
#pragma once

#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

/// Warps of a group of threads.
inline constexpr int coding_warps = 4;
inline constexpr int coding_threads = coding_warps * Lanes::count;

template <int group = coding_warps> unsigned groups_for(int warps) {
    return static_cast<unsigned>((warps + group - 1) / group);
}

/// The number of this thread's warp in its row of groups.
template <int group = coding_warps> __device__ int warp_number() {
    return static_cast<int>(blockIdx.x) * group + static_cast<int>(threadIdx.x) / Lanes::count;
}

/// The warp's own; holds nothing yet.
template <class Scratch, int group = coding_warps> __device__ Scratch& scratch_of_warp() {
    __shared__ alignas(16) unsigned char memory[group * sizeof(Scratch)];
    return reinterpret_cast<Scratch*>(memory)[threadIdx.x / Lanes::count];
}

} // namespace tandem::cuda
