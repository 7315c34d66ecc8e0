// SPDX-License-Identifier: BSD-2-Clause
// Full search on a sub-pel grid with a fetch of the texture units per sample and position (Massanes et al., 2011).
#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/full/stretch_selection.cuh"
#include "cuda/texture/texture.h"
#include "cuda/texture/texture_samples.cuh"
#include "cuda/walk/warp_block.cuh"

namespace tandem::cuda {

namespace {

constexpr int threads = 128;
/// Groups of threads that share the positions of a block, at most.
constexpr int most_groups = 64;

/// A thread per position, neighbours side by side.
template <Metric metric>
__global__ void __launch_bounds__(threads, 5)
    texture_full(const SearchTask task, const cudaTextureObject_t reference, VectorKey* best) {
    const auto number = static_cast<int>(blockIdx.x);
    const int column = number % task.columns, row = task.first_row + number / task.columns;
    const BlockArea block = block_area(task, column, row);
    const VectorArea area = vector_area(task, block);
    const Mv predictor = predictor_of(task, column, row);
    const WholeSamples current(task.current, block.x, block.y);
    const auto width = static_cast<unsigned>(area.width());
    const unsigned count = width * static_cast<unsigned>(area.max_y - area.min_y + 1);
    VectorKey key = no_vector_key;
    for (unsigned i = blockIdx.y * threads + threadIdx.x; i < count; i += gridDim.y * threads) {
        const unsigned down = i / width;
        const Position position{area.min_x + static_cast<int>(i - down * width), area.min_y + static_cast<int>(down)};
        const Mv mv = mv_of(task, position);
        const std::uint32_t distortion = share_of_distortion<metric>(
            current, TextureSamples(reference, block.x, block.y, mv), block.width, block.height, 0, 1);
        key = min(key, vector_key(candidate_of(task, mv, predictor, distortion).cost, position.x, position.y));
    }
    key = least(key);
    if (threadIdx.x % 32 == 0) atomicMin(reinterpret_cast<unsigned long long*>(best + number), key);
}

/// The null rules, and what they compare with.
template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5)
    texture_finish(const SearchTask task, const cudaTextureObject_t reference, const VectorKey* best) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    const auto measure = [&](Mv mv) {
        const TextureSamples samples(reference, block.area().x, block.area().y, mv);
        return block.candidate(mv, sum_of_shares(block.share_of(samples, block.lane(), 32), 32));
    };
    WarpList list(1, block.lane());
    const Candidate zero = measure({});
    const bool settled = block.settled(zero);
    list.offer(settled ? zero : candidate_of_key(task, block.predictor(), best[number]));
    const bool has_predicted = !settled && block.has_predicted();
    block.store(zero, has_predicted, has_predicted ? measure(mv_of(task, block.predicted())) : zero, list);
}

template <Metric metric>
void launch(const SearchTask& task, cudaTextureObject_t reference, VectorKey* best, cudaStream_t stream) {
    const int positions = (2 * task.range_x * task.grid() + 1) * (2 * task.range_y * task.grid() + 1);
    const int groups = std::min((positions + threads - 1) / threads, most_groups);
    const dim3 grid(static_cast<unsigned>(task.rows * task.columns), static_cast<unsigned>(groups));
    texture_full<metric><<<grid, threads, 0, stream>>>(task, reference, best);
    check_launch("full search by textures");
    texture_finish<metric><<<warp_kernel_groups(task), warp_kernel_threads, 0, stream>>>(task, reference, best);
    check_launch("the end of a full search by textures");
}

} // namespace

void launch_texture_full(const SearchTask& task, cudaTextureObject_t reference, VectorKey* best, cudaStream_t stream) {
    by_metric(task.metric, [&](auto metric) { launch<decltype(metric)::value>(task, reference, best, stream); });
}

} // namespace tandem::cuda
