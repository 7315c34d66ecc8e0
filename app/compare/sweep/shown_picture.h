// SPDX-License-Identifier: BSD-2-Clause
// Decoded pictures as the report shows them.
#pragma once

#include <string>

#include "video/frame.h"

namespace tandem {

/// A part of a picture, in colours.
struct ShownPicture {
    std::int64_t picture = 0;                     ///< In display order.
    int left = 0, top = 0, width = 0, height = 0; ///< Which part, in pels.
    std::string png;                              ///< In base64.
};

/// The middle of a picture, sample by sample, at most 352x288 pels of it. Its colours are taken for BT.601's up to 576
/// rows of the whole picture and for BT.709's above, with luma of 16 to 235.
ShownPicture middle_of(const Frame& frame, std::int64_t picture);

/// The luma of a whole picture as a PNG in base64, by a whole factor small enough to be at most 480 pels wide.
std::string small_luma(const Frame& frame);

} // namespace tandem
