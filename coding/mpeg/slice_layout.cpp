// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/slice_layout.h"

#include <cstdint>

#include "bitstream/mpeg/mpeg_headers.h"

namespace tandem {

namespace {

/// Appends `parts` slices of nearly equal length over macroblocks first..first+count-1.
void divide(int first, int count, int parts, std::vector<SliceExtent>& slices) {
    const auto boundary = [&](int part) {
        return first + static_cast<int>(static_cast<std::int64_t>(count) * part / parts);
    };
    for (int part = 0; part < parts; ++part)
        slices.push_back({boundary(part), boundary(part + 1)});
}

/// slice_start_code goes up to 0xAF, so in MPEG-1 all that lies below the 175th row belongs to the last slice.
void merge_below_last_start(int columns, std::vector<SliceExtent>& slices) {
    while (slices.size() > 1 && slices.back().first >= rows_with_a_start_code * columns) {
        const int end = slices.back().end;
        slices.pop_back();
        slices.back().end = end;
    }
}

} // namespace

std::vector<SliceExtent> slice_layout(Codec codec, int columns, int rows, int slices) {
    std::vector<SliceExtent> layout;
    if (codec == Codec::mpeg1 && slices > 0) {
        divide(0, columns * rows, slices, layout);
    } else {
        const int wanted = slices > 0 ? slices : rows;
        for (int row = 0; row < rows; ++row) {
            const auto up_to = [&](int r) { return static_cast<int>(static_cast<std::int64_t>(wanted) * r / rows); };
            divide(row * columns, columns, up_to(row + 1) - up_to(row), layout);
        }
    }
    if (codec == Codec::mpeg1) merge_below_last_start(columns, layout);
    return layout;
}

} // namespace tandem
