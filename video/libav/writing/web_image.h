// SPDX-License-Identifier: BSD-2-Clause
// Pictures and numbers as a page on the web can hold them, by libavcodec.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "video/frame.h"

namespace tandem {

enum class WebImage : std::uint8_t { webp, png };

/// Whether this build's libavcodec writes them.
bool writes(WebImage kind);
std::string_view mime_type(WebImage kind);

/// The bytes of an image file of the top left width x height samples. WebP: with losses, of this quality, 0 to 100;
/// PNG: as red, green and blue of 8 bits. Throws RunError when libavcodec fails, InputError where it cannot write the
/// kind.
std::vector<std::uint8_t> web_image(const Frame& frame, int width, int height, WebImage kind, int quality);

/// Bytes in a row of deflated().
inline constexpr int deflated_row = 1024;

/// The bytes, smaller: what a browser's DecompressionStream("deflate") gives back are rows of `deflated_row` bytes,
/// each behind a 0, the last one filled up with zeros. (It is the inside of a PNG, whose encoder libavcodec has.)
std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> bytes);

/// As in data: URLs.
std::string base64(std::span<const std::uint8_t> bytes);

} // namespace tandem
