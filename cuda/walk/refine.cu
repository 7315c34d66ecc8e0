// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/refine.cuh"

namespace tandem::cuda {

namespace {

/// Groups of threads on a multiprocessor: as many as leave each the registers that it needs, a few more before sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int resident_refinements = 4;
#else
constexpr int resident_refinements = 5;
#endif

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, resident_refinements)
    refine(const SearchTask task, int precision, int border) {
    refine_block<BlendedSamples, metric>(task, task.reference.whole, precision, border);
}

/// By SAD, a picture for each row of groups.
__global__ void __launch_bounds__(warp_kernel_threads, resident_refinements)
    refine_batch(const __grid_constant__ SearchTask task, const __grid_constant__ PictureBatch batch, int precision,
                 int border) {
    const auto number = static_cast<int>(blockIdx.y);
    const PictureBatch::Picture& picture = batch.picture[number];
    const std::size_t blocks = static_cast<std::size_t>(task.rows) * static_cast<std::size_t>(task.columns);
    SearchTask own = task;
    own.current = {picture.current, picture.current_stride};
    own.reference.whole.origin = picture.reference;
    own.found += number * blocks;
    if (own.predictors != nullptr) own.predictors += number * blocks;
    refine_block<BlendedSamples, Metric::sad>(own, own.reference.whole, precision, border);
}

} // namespace

void launch_refine_batch(const SearchTask& task, const PictureBatch& batch, int precision, int border,
                         cudaStream_t stream) {
    const dim3 groups(warp_kernel_groups(task), static_cast<unsigned>(batch.count));
    refine_batch<<<groups, warp_kernel_threads, 0, stream>>>(task, batch, precision, border);
    check_launch("sub-pel refinement of several pictures");
}

void launch_refine(const SearchTask& task, int precision, int border, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        refine<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
    });
    check_launch("sub-pel refinement");
}

} // namespace tandem::cuda
