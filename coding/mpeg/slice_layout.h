// SPDX-License-Identifier: BSD-2-Clause
// How a picture's macroblocks are divided into slices.
#pragma once

#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "video/codec.h"

namespace tandem {

/// `slices` of a picture, as even as the syntax allows; 0: one per row. MPEG-2's never cross a row (restricted slice
/// structure, 13818-2 clause 6.1.2), so `slices` is at least `rows` there. MPEG-1's may, and begin at row 175 at the
/// latest.
std::vector<SliceExtent> slice_layout(Codec codec, int columns, int rows, int slices);

} // namespace tandem
