// SPDX-License-Identifier: BSD-2-Clause
#include "me/coprocessor/motion_answer.h"

#include <algorithm>
#include <iterator>

namespace tandem {

namespace {

/// Rows of one field into another of the same geometry.
void copy_rows(const MotionField& from, BlockRows rows, MotionField& to) {
    const auto row = static_cast<std::ptrdiff_t>(to.columns()) * to.candidates();
    std::copy(from.all().begin() + rows.first * row, from.all().begin() + rows.end * row,
              to.all().begin() + rows.first * row);
    for (int index = rows.first; index < rows.end; ++index)
        if (from.is_counted(index)) to.add_evaluated(index, from.evaluated(index));
}

} // namespace

std::vector<BlockRows> cut_rows(BlockRows rows, int bands) {
    const int count = rows.end - rows.first;
    const int parts = std::clamp(bands, 1, std::max(count, 1));
    std::vector<BlockRows> cut;
    for (int part = 0; part < parts; ++part) {
        const auto border = [&](std::int64_t index) { return rows.first + static_cast<int>(index * count / parts); };
        cut.push_back({border(part), border(part + 1)});
    }
    return cut;
}

BlockRows rows_of(const MotionRequest& request) {
    if (request.end_row != -1 || !request.current) return {request.first_row, request.end_row};
    const int height = request.params.block_height;
    return {request.first_row, blocks_along(request.current->height(), height)};
}

void MotionAnswer::add(MotionFields fields, BlockRows rows, std::size_t backend, const std::string& name,
                       std::chrono::microseconds duration) {
    const std::lock_guard lock(mutex_);
    if (missing_ == 0) return;
    if (result_.field.rows() == 0) {
        result_.field = std::move(fields.front());
        result_.further.assign(std::make_move_iterator(fields.begin() + 1), std::make_move_iterator(fields.end()));
    } else {
        copy_rows(fields.front(), rows, result_.field);
    }
    result_.duration += duration;
    backends_.emplace(backend, name);
    if (missing_ > 1) {
        --missing_;
        return;
    }
    for (const auto& [place, part] : backends_)
        add_backends(result_.backend, part);
    missing_ = 0;
    promise_.set_value(std::move(result_));
}

void MotionAnswer::fail(const std::exception_ptr& error) {
    const std::lock_guard lock(mutex_);
    if (missing_ == 0) return;
    missing_ = 0;
    promise_.set_exception(error);
}

} // namespace tandem
