// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/check.h"
#include "cuda/kernels.h"
#include "cuda/refine.cuh"

namespace tandem::cuda {

namespace {

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5) refine(const SearchTask task, int precision, int border) {
    refine_block<BlendedSamples, metric>(task, task.reference.whole, precision, border);
}

} // namespace

void launch_refine(const SearchTask& task, int precision, int border, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    switch (task.metric) {
    case Metric::sad:
        refine<Metric::sad><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    case Metric::ssd:
        refine<Metric::ssd><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    case Metric::satd:
        refine<Metric::satd><<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border);
        break;
    }
    check_launch("sub-pel refinement");
}

} // namespace tandem::cuda
