// SPDX-License-Identifier: BSD-2-Clause
// Multi-resolution search, a warp per block on all levels of the pyramid: me/search/levels/hierarchical.cpp on the
// device.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/level_block.cuh"

namespace tandem::cuda {

namespace {

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 4)
    hierarchical(const SearchTask task, const PyramidLevels pyramid) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        const int top = pyramid.count - 1;
        const LevelBlock<metric> smallest(task, pyramid, block, top);
        WarpList found(pyramid.candidates, block.lane());
        smallest.search_window(smallest.vectors(), found);
        found = search_larger_levels(task, pyramid, block, top, found);
        search_whole(found, block.vectors(), top > 0, WarpWalk<metric>(task, block, list));
    });
}

/// 1 3 3 1 in both directions about (2x + 1/2, 2y + 1/2), edges replicated: a level of me/search/levels/pyramid.h.
__global__ void __launch_bounds__(256)
    halve(const std::uint8_t* from, int from_pitch, int from_width, int from_height, std::uint8_t* to, int to_pitch) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
    if (x >= (from_width + 1) / 2) return;
    int columns[4];
    for (int i = 0; i < 4; ++i)
        columns[i] = min(max(2 * x - 1 + i, 0), from_width - 1);
    int sum = 32;
    for (int i = 0; i < 4; ++i) {
        const std::uint8_t* row =
            from + static_cast<std::size_t>(min(max(2 * y - 1 + i, 0), from_height - 1)) * from_pitch;
        const int across =
            __ldg(row + columns[0]) + 3 * (__ldg(row + columns[1]) + __ldg(row + columns[2])) + __ldg(row + columns[3]);
        sum += i == 0 || i == 3 ? across : 3 * across;
    }
    to[static_cast<std::size_t>(y) * to_pitch + x] = static_cast<std::uint8_t>(sum >> 6);
}

} // namespace

void launch_halve(const std::uint8_t* from, int from_pitch, int from_width, int from_height, std::uint8_t* to,
                  int to_pitch, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(((from_width + 1) / 2 + 255) / 256),
                    static_cast<unsigned>((from_height + 1) / 2));
    halve<<<grid, 256, 0, stream>>>(from, from_pitch, from_width, from_height, to, to_pitch);
    check_launch("making a level of a pyramid");
}

void launch_hierarchical(const SearchTask& task, const PyramidLevels& pyramid, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        hierarchical<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, pyramid);
    });
    check_launch("a search of a pyramid");
}

} // namespace tandem::cuda
