// SPDX-License-Identifier: BSD-2-Clause
// Which of MPEG-2's two tables of coefficients suits a picture's intra macroblocks.
#pragma once

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

/// The table (13818-2 intra_vlc_format) by which the AC coefficients of all intra macroblocks take fewer bits; B-14
/// where they take as many. B-15 has short codes for large levels and a longer end of block: it suits fine quantisers.
///
///     picture.intra_vlc_format = shorter_intra_table(picture) == CoefficientTable::b15;
CoefficientTable shorter_intra_table(const MpegPicture& picture);

} // namespace tandem
