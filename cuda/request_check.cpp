// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/request_check.h"

#include "video/errors.h"

namespace tandem::cuda {

MotionField empty_field(const MotionRequest& request) {
    if (!request.current || !request.reference) throw InputError("motion search without a picture");
    if (const auto problems = request.params.validate(); !problems.empty()) {
        throw InputError("motion search: " + problems.front());
    }
    const Frame& current = *request.current;
    if (current.width() != request.reference->width() || current.height() != request.reference->height()) {
        const auto size = [](const Frame& f) { return std::to_string(f.width()) + "x" + std::to_string(f.height()); };
        throw InputError("motion search between pictures of different sizes, " + size(current) + " and " +
                         size(*request.reference));
    }
    MotionField field(current.width(), current.height(), request.params.block_width, request.params.block_height,
                      request.params.candidates);
    if (const MotionField* hint = request.hint.get();
        hint != nullptr &&
        (hint->columns() != field.columns() || hint->rows() != field.rows() ||
         hint->block_width() != field.block_width() || hint->block_height() != field.block_height())) {
        throw InputError("the hint of a motion search has another block grid");
    }
    return field;
}

RowBand wanted_rows(const MotionRequest& request, const MotionField& field) {
    const int end = request.end_row < 0 ? field.rows() : request.end_row;
    if (request.first_row < 0 || request.first_row > end || end > field.rows()) {
        throw InputError("motion search of block rows " + std::to_string(request.first_row) + " to " +
                         std::to_string(end) + " in a field of " + std::to_string(field.rows()));
    }
    return {request.first_row, end};
}

} // namespace tandem::cuda
