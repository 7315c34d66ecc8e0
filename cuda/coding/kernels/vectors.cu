// SPDX-License-Identifier: BSD-2-Clause
#pragma nv_diag_suppress 554 // A view of constant samples converts to itself.
#include "cuda/coding/coding_kernels.h"
#include "cuda/coding/kernels/choose_vectors.h"
#include "cuda/coding/kernels/collect_vectors.h"
#include "cuda/coding/kernels/refine_macroblock.h"
#include "cuda/coding/kernels/warp_kernel.cuh"
#include "cuda/device/check.h"

namespace tandem::cuda {

namespace {

/// A row of groups for each direction.
__global__ void __launch_bounds__(coding_threads) refine_macroblocks(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock >= task.macroblocks()) return;
    refine_macroblock(Lanes(), task, static_cast<int>(blockIdx.y), macroblock, scratch_of_warp<RefineScratch>());
}

__global__ void __launch_bounds__(coding_threads) collect(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock >= task.macroblocks()) return;
    collect_vectors(Lanes(), task, static_cast<int>(blockIdx.y), macroblock, scratch_of_warp<CollectScratch>());
    if (blockIdx.y == 0) measure_deviation(Lanes(), task, macroblock);
}

/// A slice for each group: their chains are long, and few.
__global__ void __launch_bounds__(ChooseScratch::warps* Lanes::count) choose(const __grid_constant__ CodingTask task) {
    __shared__ alignas(16) unsigned char memory[sizeof(ChooseScratch)];
    choose_vectors(Warps(), task, static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x),
                   *reinterpret_cast<ChooseScratch*>(memory));
}

unsigned directions_of(const CodingTask& task) { return task.direction[1].exists ? 2 : 1; }

} // namespace

void launch_refine_macroblocks(const CodingTask& task, cudaStream_t stream) {
    refine_macroblocks<<<dim3(groups_for(task.macroblocks()), directions_of(task)), coding_threads, 0, stream>>>(task);
    check_launch("refinement of macroblocks");
}

void launch_collect_vectors(const CodingTask& task, cudaStream_t stream) {
    collect<<<dim3(groups_for(task.macroblocks()), directions_of(task)), coding_threads, 0, stream>>>(task);
    check_launch("the collection of vectors");
}

void launch_choose_vectors(const CodingTask& task, cudaStream_t stream) {
    choose<<<dim3(static_cast<unsigned>(task.slices), directions_of(task)), ChooseScratch::warps * Lanes::count, 0,
             stream>>>(task);
    check_launch("the choice of vectors");
}

} // namespace tandem::cuda
