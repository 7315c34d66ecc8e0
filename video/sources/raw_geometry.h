// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "video/frame.h"

namespace tandem {

/// What the name of a raw file says of it: x_352x288_30.yuv is 352x288 at 30 frames a second.
struct RawGeometry {
    std::optional<std::pair<int, int>> size;
    std::optional<Rational> frame_rate;
    /// Whether it says another size after that.
    bool has_two_sizes = false;
    /// A word of the name saying that the samples are not 8-bit 4:2:0 ("10bit", "yuv422p"); empty if none does.
    std::string unsupported;
};

/// Reads the words of the file name between '_', '-' and spaces. The frame rate is the word right after the size: a
/// whole number or a decimal (23.976, 29.97 and 59.94 mean n * 1000/1001), with "fps" or "hz" after it or not.
RawGeometry raw_geometry_from_name(const std::string& path);

} // namespace tandem
