// SPDX-License-Identifier: BSD-2-Clause
#pragma nv_diag_suppress 554 // A view of constant samples converts to itself.
#include "cuda/coding/coding_kernels.h"
#include "cuda/coding/kernels/code_macroblock.h"
#include "cuda/coding/kernels/decide_modes.h"
#include "cuda/coding/kernels/warp_kernel.cuh"
#include "cuda/device/check.h"

namespace tandem::cuda {

namespace {

__global__ void __launch_bounds__(coding_threads) measure_means(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock < task.macroblocks()) measure_both(Lanes(), task, macroblock);
}

__global__ void __launch_bounds__(Lanes::count) decide_slices(const __grid_constant__ CodingTask task) {
    __shared__ alignas(16) unsigned char memory[sizeof(DecideScratch)];
    decide_slice(Lanes(), task, static_cast<int>(blockIdx.x), *reinterpret_cast<DecideScratch*>(memory));
}

__global__ void __launch_bounds__(coding_threads) decide_by_rules(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock < task.macroblocks()) decide_by_rule(Lanes(), task, macroblock);
}

__global__ void __launch_bounds__(coding_threads) code_macroblocks(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock >= task.macroblocks()) return;
    code_macroblock(Lanes(), task, macroblock, scratch_of_warp<CodeScratch>());
}

} // namespace

void launch_decide_modes(const CodingTask& task, cudaStream_t stream) {
    if (task.by_trials()) {
        launch_list_modes(task, stream);
        launch_try_modes(task, stream);
        launch_settle_modes(task, stream);
        return;
    }
    const bool by_cost = task.type == PictureType::intra || task.decision == Decision::cost;
    if (!by_cost) {
        decide_by_rules<<<groups_for(task.macroblocks()), coding_threads, 0, stream>>>(task);
        check_launch("decisions by rules");
        return;
    }
    if (task.type == PictureType::bidirectional) {
        measure_means<<<groups_for(task.macroblocks()), coding_threads, 0, stream>>>(task);
        check_launch("measuring both directions");
    }
    decide_slices<<<static_cast<unsigned>(task.slices), Lanes::count, 0, stream>>>(task);
    check_launch("decisions");
}

void launch_code_macroblocks(const CodingTask& task, cudaStream_t stream) {
    code_macroblocks<<<groups_for(task.macroblocks()), coding_threads, 0, stream>>>(task);
    check_launch("coding macroblocks");
}

void launch_coding(const CodingTask& task, cudaStream_t stream) {
    if (task.type != PictureType::intra) {
        launch_refine_macroblocks(task, stream);
        launch_collect_vectors(task, stream);
        launch_choose_vectors(task, stream);
    }
    launch_decide_modes(task, stream);
    launch_code_macroblocks(task, stream);
}

} // namespace tandem::cuda
