// SPDX-License-Identifier: BSD-2-Clause
// The geometry of one block, as me/block.h has it on the CPU, in positions of the search's grid.
#pragma once

#include "cuda/requests/search_task.h"
#include "me/cost.h"

namespace tandem::cuda {

struct BlockArea {
    int x, y, width, height; ///< Samples, cut to the picture.
};

/// Positions that a search may try, inclusive.
struct VectorArea {
    int min_x, max_x, min_y, max_y;
    __device__ bool contains(Position p) const { return p.x >= min_x && p.x <= max_x && p.y >= min_y && p.y <= max_y; }
    __device__ int width() const { return max_x - min_x + 1; }
    /// Rows of one fraction: min_y + fraction, and every grid()-th from there on.
    __device__ int rows_of(int fraction, int grid_shift) const {
        return ((max_y - min_y - fraction) >> grid_shift) + 1;
    }
};

__device__ inline BlockArea block_area(const SearchTask& task, int column, int row) {
    const int x = column * task.block_width;
    const int y = row * task.block_height;
    return {x, y, min(task.block_width, task.picture_width - x), min(task.block_height, task.picture_height - y)};
}

__device__ inline VectorArea vector_area(const SearchTask& task, const BlockArea& block) {
    VectorArea pels{-task.range_x, task.range_x, -task.range_y, task.range_y};
    if (!task.padded) {
        pels = {max(pels.min_x, -block.x), min(pels.max_x, task.picture_width - block.x - block.width),
                max(pels.min_y, -block.y), min(pels.max_y, task.picture_height - block.y - block.height)};
    }
    const int grid = task.grid();
    return {grid * pels.min_x, grid * pels.max_x, grid * pels.min_y, grid * pels.max_y};
}

__device__ inline Mv mv_of(const SearchTask& task, Position position) {
    return {static_cast<std::int16_t>(position.x * task.step()), static_cast<std::int16_t>(position.y * task.step())};
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

/// component_bits() of cost.h for a unit of 2^rate_shift, without a division.
__device__ inline int bits_of_component(int difference, int rate_shift) {
    return component_bits(magnitude(difference) >> rate_shift, 1);
}

__device__ inline std::uint32_t rate_of_mv(const SearchTask& task, Mv mv, Mv predictor) {
    return rate_of(bits_of_component(mv.x - predictor.x, task.rate_shift) +
                       bits_of_component(mv.y - predictor.y, task.rate_shift),
                   task.lambda_q8);
}

__device__ inline Candidate candidate_of(const SearchTask& task, Mv mv, Mv predictor, std::uint32_t distortion) {
    return {mv, distortion, cost_of(distortion, rate_of_mv(task, mv, predictor))};
}

/// The cost never saturates: 128 * 128 * 255^2 and the dearest rate are less than 2^31 together.
__device__ inline Candidate candidate_of_key(const SearchTask& task, Mv predictor, VectorKey key) {
    const Mv mv = mv_of(task, position_of_key(key));
    return {mv, cost_of_key(key) - rate_of_mv(task, mv, predictor), cost_of_key(key)};
}

/// The keys of a block's stretches.
__device__ inline VectorKey* keys_of(const SearchTask& task, const FullSearchLayout& layout, int column, int row) {
    return layout.keys + block_number(task, column, row) * layout.key_rows * layout.key_columns;
}

/// Where the reference's plane of a position's fraction has the sample that the position puts onto (x, y).
__device__ inline const std::uint32_t* reference_at(const SearchTask& task, int x, int y, Position position) {
    const WordPlanes& planes = task.reference;
    const int mask = task.grid() - 1, finer = planes.grid_shift - task.grid_shift;
    const int fraction_x = (position.x & mask) << finer, fraction_y = (position.y & mask) << finer;
    const std::uint32_t* plane =
        planes.whole.origin + ((fraction_y << planes.grid_shift) + fraction_x) * planes.plane_words;
    return plane + static_cast<std::ptrdiff_t>(y + (position.y >> task.grid_shift)) * planes.whole.stride + x +
           (position.x >> task.grid_shift);
}

/// The rows first_y, first_y + grid(), .. of a column of vectors; `count` of them.
struct RowRun {
    int first_y, count;
};

/// A chunk of a window's rows; `number` counts the chunks of fraction 0 first. May be empty.
__device__ inline RowRun chunk_of(const SearchTask& task, const FullSearchLayout& layout, const VectorArea& area,
                                  int number) {
    const int fraction = layout.chunks == 1 ? number : number / layout.chunks;
    const int first = (number - fraction * layout.chunks) * layout.chunk_rows;
    return {area.min_y + fraction + (first << task.grid_shift),
            min(layout.chunk_rows, area.rows_of(fraction, task.grid_shift) - first)};
}

} // namespace tandem::cuda
