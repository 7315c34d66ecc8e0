// SPDX-License-Identifier: BSD-2-Clause
// The geometry of one block of a field: its samples, and the vectors that the boundary and the range allow it.
#pragma once

#include <algorithm>

#include "me/motion_field.h"
#include "me/search_params.h"
#include "video/frame.h"

namespace tandem {

/// The luma samples of a block, cut to the picture.
struct BlockRect {
    int x = 0, y = 0, width = 0, height = 0;
    std::uint32_t samples() const { return static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height); }
};

inline BlockRect block_rect(const MotionField& field, int column, int row) {
    const int x = column * field.block_width();
    const int y = row * field.block_height();
    return {x, y, std::min(field.block_width(), field.picture_width() - x),
            std::min(field.block_height(), field.picture_height() - y)};
}

/// The chroma samples (x, y) of 4:2:0 whose luma samples (2x, 2y) belong to the block; none where it has no such
/// sample.
inline BlockRect chroma_rect(const BlockRect& luma) {
    const int x = chroma_size(luma.x), y = chroma_size(luma.y);
    return {x, y, chroma_size(luma.x + luma.width) - x, chroma_size(luma.y + luma.height) - y};
}

/// An inclusive rectangle of displacements. In eighth-pels or in pels: the name of the variable says which.
struct Window {
    int min_x = 0, max_x = 0, min_y = 0, max_y = 0;
    bool contains(int x, int y) const { return x >= min_x && x <= max_x && y >= min_y && y <= max_y; }
};

/// Displacements in eighth-pels that keep the block's interpolation footprint inside the picture extended by `border`
/// pels. A fractional position needs one sample more, but between two allowed whole ones there is always that sample.
inline Window allowed_eighths(const BlockRect& block, int picture_width, int picture_height, int border) {
    return {8 * (-border - block.x), 8 * (picture_width + border - block.x - block.width), 8 * (-border - block.y),
            8 * (picture_height + border - block.y - block.height)};
}

/// Whole-pel displacements within the limits that keep the block inside the picture (Boundary::inside) or anywhere.
inline Window window_within(const VectorLimits& limits, const BlockRect& block, int picture_width, int picture_height,
                            Boundary boundary) {
    Window window{-limits.x, limits.x, -limits.y, limits.y};
    if (boundary == Boundary::inside) {
        window.min_x = std::max(window.min_x, -block.x);
        window.min_y = std::max(window.min_y, -block.y);
        window.max_x = std::min(window.max_x, picture_width - block.x - block.width);
        window.max_y = std::min(window.max_y, picture_height - block.y - block.height);
    }
    return window;
}

/// The same within the limits of a search.
inline Window search_window(const BlockRect& block, int picture_width, int picture_height, const SearchParams& params) {
    return window_within(vector_limits(params, picture_width, picture_height), block, picture_width, picture_height,
                         params.boundary);
}

/// How many samples beyond the reference's edges a search by its range reads: refinement reaches less than one pel
/// beyond the range, and its footprint one sample further.
inline int reach_of(const SearchParams& params) {
    return params.boundary == Boundary::padded ? std::max(params.range_x, params.range_y) + 2 : 0;
}

/// The same of any search.
inline int reach_of(const SearchParams& params, int picture_width, int picture_height) {
    const VectorLimits limits = vector_limits(params, picture_width, picture_height);
    return params.boundary == Boundary::padded ? std::max(limits.x, limits.y) + 2 : 0;
}

} // namespace tandem
