// SPDX-License-Identifier: BSD-2-Clause
// What a coded picture consists of, counted.
#pragma once

#include "bitstream/mpeg/mpeg_picture.h"
#include "encoder/pictures/picture_stats.h"

namespace tandem {

/// Fills the counts of macroblock kinds, zero_motion and mean_mv.
void count_macroblocks(const MpegPicture& picture, PictureStats& stats);

} // namespace tandem
