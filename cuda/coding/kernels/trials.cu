// SPDX-License-Identifier: BSD-2-Clause
#pragma nv_diag_suppress 554 // A view of constant samples converts to itself.
#include "cuda/coding/coding_kernels.h"
#include "cuda/coding/kernels/joint_vectors.h"
#include "cuda/coding/kernels/list_modes.h"
#include "cuda/coding/kernels/settle_modes.h"
#include "cuda/coding/kernels/try_modes.h"
#include "cuda/coding/kernels/warp_kernel.cuh"
#include "cuda/device/check.h"

namespace tandem::cuda {

namespace {

/// A row of groups for each direction.
__global__ void __launch_bounds__(coding_threads) measure(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock >= task.macroblocks()) return;
    measure_means(Lanes(), task, static_cast<int>(blockIdx.y), macroblock, scratch_of_warp<MeanScratch>());
}

__global__ void __launch_bounds__(coding_threads) step_jointly(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number();
    if (macroblock < task.macroblocks()) step_jointly(Lanes(), task, macroblock, scratch_of_warp<JointScratch>());
}

__global__ void __launch_bounds__(ListScratch::warps* Lanes::count)
    list_slices(const __grid_constant__ CodingTask task) {
    __shared__ alignas(16) unsigned char memory[sizeof(ListScratch)];
    list_modes(Warps(), task, static_cast<int>(blockIdx.x), *reinterpret_cast<ListScratch*>(memory));
}

/// Warps of a group.
constexpr int try_warps = 2;

/// Groups of a multiprocessor that registers must be enough for, about as many as its shared memory has room for: that
/// is up to 228 KiB in data centres, and 100 at most elsewhere.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr int resident_trials = 16;
#else
constexpr int resident_trials = 6;
#endif

/// A warp for each macroblock and mode. Groups are small: the memory of one that is done is another's at once, and a
/// long trial keeps few waiting.
__global__ void __launch_bounds__(try_warps* Lanes::count, resident_trials)
    try_all(const __grid_constant__ CodingTask task) {
    const int macroblock = warp_number<try_warps>(), number = static_cast<int>(blockIdx.y);
    if (macroblock >= task.macroblocks()) return;
    try_mode(Lanes(), task, macroblock, number, scratch_of_warp<TryScratch, try_warps>());
    // The last mode is often none.
    if (number == ListedModes::most - 1 && task.type == PictureType::predicted) try_still(Lanes(), task, macroblock);
}

/// Groups of a multiprocessor that registers must be enough for. The compiler aims at more by itself and spills.
constexpr int resident_slices = 2;

__global__ void __launch_bounds__(SettleScratch::warps* Lanes::count, resident_slices)
    settle_slices(const __grid_constant__ CodingTask task) {
    __shared__ alignas(16) unsigned char memory[sizeof(SettleScratch)];
    settle_modes(Warps(), task, static_cast<int>(blockIdx.x), *reinterpret_cast<SettleScratch*>(memory));
}

} // namespace

void launch_list_modes(const CodingTask& task, cudaStream_t stream) {
    if (task.type == PictureType::bidirectional) {
        measure<<<dim3(groups_for(task.macroblocks()), 2), coding_threads, 0, stream>>>(task);
        check_launch("measuring both directions");
        step_jointly<<<groups_for(task.macroblocks()), coding_threads, 0, stream>>>(task);
        check_launch("joint steps of both vectors");
    }
    list_slices<<<static_cast<unsigned>(task.slices), ListScratch::warps * Lanes::count, 0, stream>>>(task);
    check_launch("the list of modes");
}

void launch_try_modes(const CodingTask& task, cudaStream_t stream) {
    const dim3 trials(groups_for<try_warps>(task.macroblocks()), ListedModes::most);
    try_all<<<trials, try_warps * Lanes::count, 0, stream>>>(task);
    check_launch("trials of modes");
}

void launch_settle_modes(const CodingTask& task, cudaStream_t stream) {
    settle_slices<<<static_cast<unsigned>(task.slices), SettleScratch::warps * Lanes::count, 0, stream>>>(task);
    check_launch("the choice of modes");
}

} // namespace tandem::cuda
