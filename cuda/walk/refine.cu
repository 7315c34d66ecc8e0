// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/picture_of_batch.cuh"
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
template <class List>
__global__ void __launch_bounds__(warp_kernel_threads, resident_refinements)
    refine_batch(const __grid_constant__ SearchTask task, const __grid_constant__ PictureBatch batch, int precision,
                 int border) {
    const SearchTask own = task_of_picture(task, batch, number_of_picture());
    refine_block<BlendedSamples, Metric::sad, List>(own, own.reference.whole, precision, border);
}

__global__ void __launch_bounds__(lane_kernel_threads)
    refine_lanes(const __grid_constant__ SearchTask task, const __grid_constant__ PictureBatch batch, int precision,
                 int border) {
    refine_lane(task_of_picture(task, batch, number_of_picture()), precision, border);
}

} // namespace

void launch_refine_batch(const SearchTask& task, const PictureBatch& batch, int precision, int border,
                         cudaStream_t stream) {
    if (suits_lanes(task)) {
        refine_lanes<<<lane_kernel_groups(task, batch), lane_kernel_threads, 0, stream>>>(task, batch, precision,
                                                                                          border);
    } else {
        const auto kernel = task.candidates == 1 ? refine_batch<WarpBest> : refine_batch<WarpList>;
        kernel<<<warp_kernel_groups(task, batch), warp_kernel_threads, 0, stream>>>(task, batch, precision, border);
    }
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
