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

/// A block's number among those of the task.
__device__ inline std::size_t block_number(const SearchTask& task, int column, int row) {
    return static_cast<std::size_t>(row - task.first_row) * static_cast<std::size_t>(task.columns) +
           static_cast<std::size_t>(column);
}

__device__ inline Mv predictor_of(const SearchTask& task, int column, int row) {
    if (task.predictors == nullptr) return {};
    return task.predictors[block_number(task, column, row)];
}

__device__ inline Candidate candidate_of(const SearchTask& task, Mv mv, Mv predictor, std::uint32_t distortion) {
    return {mv, distortion, cost_of(distortion, mv, predictor, task.lambda_q8, task.rate_unit)};
}

/// The cost never saturates: 128 * 128 * 255^2 and the dearest rate are less than 2^31 together.
__device__ inline Candidate candidate_of_key(const SearchTask& task, Mv predictor, VectorKey key) {
    const PelVector vector = vector_of_key(key);
    const Mv mv = mv_from_pels(vector.x, vector.y);
    const std::uint32_t rate = rate_of(vector_bits(mv, predictor, task.rate_unit), task.lambda_q8);
    return {mv, cost_of_key(key) - rate, cost_of_key(key)};
}

/// The keys of a block's cells.
__device__ inline VectorKey* keys_of(const SearchTask& task, const FullSearchLayout& layout, int column, int row) {
    return layout.keys + block_number(task, column, row) * layout.key_rows * layout.key_columns;
}

} // namespace tandem::cuda
