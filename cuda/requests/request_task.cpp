// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/requests/request_task.h"

#include <algorithm>
#include <bit>

namespace tandem::cuda {

SearchTask task_of(const SearchParams& params, int width, int height, const BlockRows& band) {
    SearchTask task;
    task.picture_width = width;
    task.picture_height = height;
    task.block_width = params.block_width;
    task.block_height = params.block_height;
    task.columns = blocks_along(width, params.block_width);
    task.first_row = band.first;
    task.rows = band.end - band.first;
    const VectorLimits limits = vector_limits(params, width, height);
    task.range_x = limits.x;
    task.range_y = limits.y;
    task.padded = params.boundary == Boundary::padded;
    task.metric = params.metric;
    task.lambda_q8 = params.lambda_q8;
    task.rate_shift = std::countr_zero(static_cast<unsigned>(params.rate_unit));
    task.grid_shift = std::countr_zero(static_cast<unsigned>(params.grid));
    task.null_threshold = params.null_threshold;
    task.null_level = static_cast<std::uint16_t>(params.null_level);
    task.null_gain = params.null_gain;
    task.candidates = params.candidates;
    return task;
}

std::span<Candidate> slots_of(MotionField& field, const BlockRows& band) {
    const auto row = static_cast<std::size_t>(field.columns()) * static_cast<std::size_t>(field.candidates());
    return field.all().subspan(static_cast<std::size_t>(band.first) * row,
                               static_cast<std::size_t>(band.end - band.first) * row);
}

void copy_predictors(const MotionField* hint, const BlockRows& band, std::span<Mv> predictors) {
    std::ranges::fill(predictors, Mv{});
    if (hint == nullptr) return;
    auto next = predictors.begin();
    for (int row = band.first; row < band.end; ++row) {
        for (int column = 0; column < hint->columns(); ++column, ++next) {
            const Candidate& hinted = hint->best(column, row);
            if (has_vector(hinted)) *next = hinted.mv;
        }
    }
}

} // namespace tandem::cuda
