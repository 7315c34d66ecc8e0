// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions, and measuring them one position after another. For files of one instruction set too: nothing
// here has a name outside the file that includes it.
#pragma once

#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

constexpr int largest_block = 128;

/// A rectangle of positions, and what is good enough in each of its rows (see RectangleWithin).
struct PositionRectangle {
    const Byte* reference;
    Stride stride;
    int columns, rows;
    const std::int32_t* limits;
};

/// Of a row's distortions from a column on, the first `count`; where the next one goes.
inline MeasuredPosition* write_within(std::uint32_t limit, const std::uint32_t* distortions, int count, int column,
                                      int row, MeasuredPosition* found) {
    for (int i = 0; i < count; ++i) {
        *found = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, distortions[i]};
        found += distortions[i] <= limit;
    }
    return found;
}

/// Those from a column on, by measure(); writes what is within the limits, and returns where the next one goes.
template <auto measure>
MeasuredPosition* measure_singly(const Byte* current, Stride current_stride, int width, int height,
                                 const PositionRectangle& r, int first_column, MeasuredPosition* found) {
    for (int row = 0; row < r.rows; ++row) {
        for (int column = first_column; column < r.columns && r.limits[row] >= 0; ++column) {
            const Byte* there = r.reference + row * r.stride + column;
            const std::uint32_t distortion = measure(current, current_stride, there, r.stride, width, height);
            if (distortion > static_cast<std::uint32_t>(r.limits[row])) continue;
            *found++ = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)}, distortion};
        }
    }
    return found;
}

} // namespace

} // namespace tandem
