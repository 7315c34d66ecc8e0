// SPDX-License-Identifier: BSD-2-Clause
// The geometry of one block, as me/block.h has it on the CPU.
#pragma once

#include "cuda/kernels.h"
#include "me/cost.h"

namespace tandem::cuda {

struct BlockArea {
    int x, y, width, height; ///< Samples, cut to the picture.
};

/// Whole-pel vectors that a search may try, inclusive.
struct VectorArea {
    int min_x, max_x, min_y, max_y;
    __device__ bool contains(int x, int y) const { return x >= min_x && x <= max_x && y >= min_y && y <= max_y; }
    __device__ int width() const { return max_x - min_x + 1; }
    __device__ int height() const { return max_y - min_y + 1; }
};

__device__ inline BlockArea block_area(const SearchTask& task, int column, int row) {
    const int x = column * task.block_width;
    const int y = row * task.block_height;
    return {x, y, min(task.block_width, task.picture_width - x), min(task.block_height, task.picture_height - y)};
}

__device__ inline VectorArea vector_area(const SearchTask& task, const BlockArea& block) {
    if (task.padded) return {-task.range_x, task.range_x, -task.range_y, task.range_y};
    return {max(-task.range_x, -block.x), min(task.range_x, task.picture_width - block.x - block.width),
            max(-task.range_y, -block.y), min(task.range_y, task.picture_height - block.y - block.height)};
}

__device__ inline Mv predictor_of(const SearchTask& task, int column, int row) {
    if (task.predictors == nullptr) return {};
    return task.predictors[static_cast<std::size_t>(row - task.first_row) * task.columns + column];
}

__device__ inline Candidate candidate_of(const SearchTask& task, Mv mv, Mv predictor, std::uint32_t distortion) {
    return {mv, distortion, cost_of(distortion, mv, predictor, task.lambda_q8, task.rate_unit)};
}

/// The block whose columns of vectors include this one.
__device__ inline int block_of_lane(const int* first_lane, int columns, int lane) {
    int low = 0, high = columns - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (__ldg(first_lane + middle) <= lane) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/// The keys of a block's cells.
__device__ inline VectorKey* keys_of(const SearchTask& task, const FullSearchLayout& layout, int column, int row) {
    const std::size_t block = static_cast<std::size_t>(row - task.first_row) * task.columns + column;
    return layout.keys + block * layout.key_rows * layout.key_columns;
}

} // namespace tandem::cuda
