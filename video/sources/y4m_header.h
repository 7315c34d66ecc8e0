// SPDX-License-Identifier: BSD-2-Clause
// The stream header of YUV4MPEG2 (the format of mjpegtools, yuv4mpeg(5)).
#pragma once

#include <optional>
#include <string_view>

#include "video/frame.h"

namespace tandem {

struct Y4mHeader {
    int width = 0;
    int height = 0;
    std::optional<Rational> frame_rate; ///< Nothing when the header has none or says F0:0, "unknown".
    Rational sample_aspect{0, 1};
    bool full_range = false; ///< XCOLORRANGE=FULL, an extension that ffmpeg writes.
};

/// Parses the line without its newline. Throws InputError (without a file name) for whatever is not understood
/// exactly: numbers out of range, unknown or repeated tags, interlaced fields, chroma other than 8-bit 4:2:0.
Y4mHeader parse_y4m_header(std::string_view line);

} // namespace tandem
