// SPDX-License-Identifier: BSD-2-Clause
// Refinement by fetches of the texture units, and how they differ from the packed arithmetic.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/texture/texture.h"
#include "cuda/texture/texture_samples.cuh"
#include "cuda/walk/refine.cuh"

namespace tandem::cuda {

namespace {

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 4)
    texture_refine(const SearchTask task, int precision, int border, const cudaTextureObject_t reference) {
    refine_block<TextureSamples, metric>(task, reference, precision, border);
}

__global__ void __launch_bounds__(warp_kernel_threads)
    two_sads(const SearchTask task, Mv mv, const cudaTextureObject_t reference, TwoSads* sads) {
    const int number = WarpBlock<Metric::sad>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<Metric::sad> block(task, number);
    const TextureSamples samples(reference, block.area().x, block.area().y, mv);
    const std::uint32_t fetched = sum_of_shares(block.share_of(samples, block.lane(), 32), 32);
    const std::uint32_t packed = sum_of_shares(block.blended_share(mv, block.lane(), 32), 32);
    const BlockArea& area = block.area();
    const WholeSamples current(task.current, area.x, area.y);
    float unrounded = 0;
    for (int i = block.lane(); i < area.width * area.height; i += 32) {
        const int x = i % area.width, y = i / area.width;
        unrounded += fabsf(static_cast<float>(current(x, y) & 0xFF) - samples.at(x, y));
    }
    for (int distance = 16; distance > 0; distance /= 2)
        unrounded += __shfl_xor_sync(whole_warp, unrounded, distance);
    if (block.lane() == 0) sads[number] = {fetched, packed, unrounded};
}

} // namespace

void launch_texture_refine(const SearchTask& task, int precision, int border, cudaTextureObject_t reference,
                           cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        texture_refine<decltype(metric)::value>
            <<<groups, warp_kernel_threads, 0, stream>>>(task, precision, border, reference);
    });
    check_launch("sub-pel refinement by textures");
}

void launch_two_sads(const SearchTask& task, Mv mv, cudaTextureObject_t reference, TwoSads* sads, cudaStream_t stream) {
    two_sads<<<warp_kernel_groups(task), warp_kernel_threads, 0, stream>>>(task, mv, reference, sads);
    check_launch("comparing textures");
}

} // namespace tandem::cuda
