// SPDX-License-Identifier: BSD-2-Clause
// Where the windows of phase correlation lie: me/search/phase/phase.cpp on the device.
#pragma once

#include "cuda/phase/phase_task.h"
#include "cuda/search_geometry.cuh"

namespace tandem::cuda {

/// The block of the task that window `number` of the batch belongs to.
__device__ inline int block_of_window(const SearchTask& task, const PhaseWindows& windows, int number) {
    return min(windows.first + number, task.rows * task.columns - 1);
}
__device__ inline BlockArea area_of_block(const SearchTask& task, int block) {
    return block_area(task, block % task.columns, task.first_row + block / task.columns);
}

/// Where a window about (x, y) of a plane begins: moved into the picture where the boundary is `inside`.
__device__ inline Displacement window_corner(const SearchTask& task, const PhaseWindows& windows, int x, int y,
                                             const SamplePlane& plane) {
    const int side = windows.side();
    const Displacement corner{x - side / 2, y - side / 2};
    if (task.padded) return corner;
    return {min(max(corner.x, 0), max(plane.width - side, 0)), min(max(corner.y, 0), max(plane.height - side, 0))};
}

/// The corners of a block's two windows.
struct WindowPair {
    Displacement current, reference;

    __device__ WindowPair(const SearchTask& task, const PhaseWindows& windows, const BlockArea& block,
                          Displacement displacement) {
        const int x = (2 * block.x + block.width) >> (windows.layer + 1);
        const int y = (2 * block.y + block.height) >> (windows.layer + 1);
        current = window_corner(task, windows, x, y, windows.current);
        reference = window_corner(task, windows, x + displacement.x, y + displacement.y, windows.reference);
    }
    __device__ Displacement moved() const { return {reference.x - current.x, reference.y - current.y}; }
};

} // namespace tandem::cuda
