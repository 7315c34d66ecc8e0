// SPDX-License-Identifier: BSD-2-Clause
// Compiled so that a product and a sum are rounded each, as on the CPU.
#pragma nv_diag_suppress 554 // A view of constant samples converts to itself.
#include "cuda/coding/kernels/warp_kernel.cuh"
#include "cuda/device/check.h"
#include "cuda/filter/filter_macroblock.h"

namespace tandem::cuda {

namespace {

/// A warp for each macroblock.
__global__ void __launch_bounds__(coding_threads) filter(const __grid_constant__ FilterTask task) {
    const int macroblock = warp_number();
    if (macroblock < task.macroblocks()) filter_macroblock(Lanes(), task, macroblock, scratch_of_warp<FilterScratch>());
}

} // namespace

void launch_filter(const FilterTask& task, cudaStream_t stream) {
    filter<<<groups_for(task.macroblocks()), coding_threads, 0, stream>>>(task);
    check_launch("the temporal filter");
}

} // namespace tandem::cuda
