// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/neighbours.h"

#include <algorithm>

namespace tandem {

namespace {

int median(int a, int b, int c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

} // namespace

Mv median_of_neighbours(const MotionField& field, int column, int row) {
    const auto at = [&](int c, int r) { return c < 0 || c >= field.columns() ? Mv{} : field.best(c, r).mv; };
    const Mv left = at(column - 1, row);
    if (row == 0) return left;
    const Mv above = at(column, row - 1);
    const Mv beside = at(column + 1 < field.columns() ? column + 1 : column - 1, row - 1);
    return {static_cast<std::int16_t>(median(left.x, above.x, beside.x)),
            static_cast<std::int16_t>(median(left.y, above.y, beside.y))};
}

MotionField medians_of_neighbours(const MotionField& field, int first_row, int end_row) {
    MotionField medians(field.picture_width(), field.picture_height(), field.block_width(), field.block_height(), 1);
    for (int row = first_row; row < end_row; ++row) {
        for (int column = 0; column < field.columns(); ++column)
            medians.block(column, row).front() = {median_of_neighbours(field, column, row), 0, 0};
    }
    return medians;
}

} // namespace tandem
