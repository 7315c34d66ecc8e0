// SPDX-License-Identifier: BSD-2-Clause
// What the encoder knows of each codec, in one row. Limits of single settings stand in their rows (setting_rows.h).
#pragma once

#include <memory>

#include "coding/coding_devices.h"
#include "encoder/picture_coder.h"

namespace tandem {

struct CodecTools {
    Codec codec;
    int largest_side;      ///< Luma samples of a picture's width and of its height.
    int most_range_y;      ///< Pels that vectors may go up and down.
    bool says_colours;     ///< Its streams have a place for the colour description.
    bool row_begins_slice; ///< Every row of macroblocks begins a slice.
    std::unique_ptr<PictureCoder> (*make)(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                          Trace* trace, const CodingDevices& devices);
};

const CodecTools& codec_tools(Codec codec);

} // namespace tandem
