// SPDX-License-Identifier: BSD-2-Clause
#include "me/coprocessor/backend.h"

#include <algorithm>

#include "machine/errors.h"
#include "me/search.h"
#include "me/search/neighbours.h"

namespace tandem {

namespace {

bool has_same_blocks(const MotionField& a, const MotionField& b) {
    return a.columns() == b.columns() && a.rows() == b.rows() && a.block_width() == b.block_width() &&
           a.block_height() == b.block_height();
}

} // namespace

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
    if (!request.sizes.empty()) throw InputError("motion search of one block size, in a request of several");
    MotionField field(current.width(), current.height(), request.params.block_width, request.params.block_height,
                      request.params.candidates);
    if (request.hint && !has_same_blocks(*request.hint, field))
        throw InputError("the hint of a motion search has another block grid");
    if (request.start && !has_same_blocks(*request.start, field))
        throw InputError("the start field of a refinement has another block grid");
    return field;
}

BlockRows wanted_rows(const MotionRequest& request, const MotionField& field) {
    const int end = request.end_row == -1 ? field.rows() : request.end_row;
    if (request.first_row < 0 || request.first_row > end || end > field.rows()) {
        throw InputError("motion search of block rows " + std::to_string(request.first_row) + " to " +
                         std::to_string(end) + " in a field of " + std::to_string(field.rows()));
    }
    return {request.first_row, end};
}

void copy_start(const MotionField& start, BlockRows rows, MotionField& field) {
    const auto kept = static_cast<std::size_t>(std::min(start.candidates(), field.candidates()));
    for (int row = rows.first; row < rows.end; ++row) {
        for (int column = 0; column < field.columns(); ++column)
            std::ranges::copy(start.block(column, row).first(kept), field.block(column, row).begin());
    }
}

MotionField search_in_two_passes(const MotionRequest& request,
                                 const std::function<MotionField(const MotionRequest&)>& search) {
    const BlockRows rows = wanted_rows(request, empty_field(request));
    const int first = rows.first - rows_searched_above(request.params, rows.first);
    MotionRequest pass = request;
    pass.params.predictor = Predictor::hint;
    pass.params.candidates = 1;
    pass.first_row = std::max(first - 1, 0); // A median looks at the row above.
    pass.end_row = rows.end;
    const MotionField before = search(pass);
    pass.params.candidates = request.params.candidates;
    pass.first_row = rows.first;
    pass.hint = std::make_shared<MotionField>(medians_of_neighbours(before, first, rows.end));
    MotionField field = search(pass);
    for (int row = rows.first; row < rows.end; ++row)
        field.add_evaluated(row, before.evaluated(row));
    return field;
}

} // namespace tandem
