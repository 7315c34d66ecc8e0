// SPDX-License-Identifier: BSD-2-Clause
// What each codec can say, in one row. Limits of single settings stand in their rows (setting_rows.h).
#pragma once

#include "video/codec.h"

namespace tandem {

struct CodecSyntax {
    Codec codec;
    int largest_side;      ///< Luma samples of a picture's width and of its height.
    int most_range_y;      ///< Pels that vectors may go up and down.
    bool says_colours;     ///< Its streams have a place for the colour description.
    bool row_begins_slice; ///< Every row of macroblocks begins a slice.
    int most_rate_units;   ///< Of a buffer's declared rate: see RateSettings.
    int most_buffer_units; ///< Of a buffer's declared size.
};

const CodecSyntax& codec_syntax(Codec codec);

} // namespace tandem
