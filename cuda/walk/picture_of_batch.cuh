// SPDX-License-Identifier: BSD-2-Clause
// What a kernel of several pictures (PictureBatch) works on, a picture for each row of its groups.
#pragma once

#include <cstddef>

#include "cuda/requests/search_task.h"

namespace tandem::cuda {

__device__ inline int number_of_picture() { return static_cast<int>(blockIdx.y); }

/// The task of one of them.
__device__ inline SearchTask task_of_picture(const SearchTask& task, const PictureBatch& batch, int number) {
    const PictureBatch::Picture& picture = batch.picture[number];
    const std::ptrdiff_t blocks = std::ptrdiff_t{number} * task.rows * task.columns;
    SearchTask own = task;
    own.current = {picture.current, picture.current_stride};
    own.reference.whole.origin = picture.reference;
    own.found += blocks * task.candidates;
    if (own.predictors != nullptr) own.predictors += blocks;
    return own;
}

/// The level of one of them; the planes of the batch are the level's.
__device__ inline CoarseLevel level_of_picture(const CoarseLevel& level, const PictureBatch& batch, int number) {
    const PictureBatch::Picture& picture = batch.picture[number];
    CoarseLevel own = level;
    own.pictures.current = {picture.current, picture.current_stride};
    own.pictures.reference.origin = picture.reference;
    own.found += std::ptrdiff_t{number} * level.rows * level.columns;
    return own;
}

__device__ inline CoarseCells cells_of_picture(const CoarseCells& cells, int number) {
    CoarseCells own = cells;
    if (own.vectors != nullptr) own.vectors += std::ptrdiff_t{number} * cells.rows * cells.columns;
    return own;
}

} // namespace tandem::cuda
