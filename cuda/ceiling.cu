// SPDX-License-Identifier: BSD-2-Clause
// The ceiling of SAD: nothing but packed absolute differences in registers.
#include "cuda/device/check.h"
#include "cuda/kernels.h"
#include "cuda/packed_arithmetic.cuh"

namespace tandem::cuda {

namespace {

constexpr int chains = 16;
constexpr int steps = ceiling_words / chains;

__global__ void __launch_bounds__(256) ceiling(int repeats, std::uint32_t* out) {
    std::uint32_t words[chains], sums[chains];
    for (int i = 0; i < chains; ++i) {
        words[i] = threadIdx.x * 0x01030507u + static_cast<std::uint32_t>(i) * 0x10204081u;
        sums[i] = 0;
    }
    for (int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll 8
        for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int i = 0; i < chains; ++i) {
                // As if they were other words now, lest a difference that is one instruction of two be taken once.
                asm volatile("" : "+r"(words[i]));
                sums[i] = add_absolute_differences(words[i], words[(i + 1) % chains], sums[i]);
            }
        }
    }
    std::uint32_t total = 0;
    for (const std::uint32_t sum : sums)
        total += sum;
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

} // namespace

void launch_ceiling(int blocks, int threads, int repeats, std::uint32_t* out, cudaStream_t stream) {
    ceiling<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream>>>(repeats, out);
    check_launch("the ceiling benchmark");
}

} // namespace tandem::cuda
