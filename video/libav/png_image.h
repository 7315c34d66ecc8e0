// SPDX-License-Identifier: BSD-2-Clause
// Pictures of red, green and blue as PNG, by libavcodec.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tandem {

/// The bytes of a PNG file with 8 bits a channel. `rgb`: 3 * width * height samples, row by row.
/// Throws RunError when libavcodec fails, InputError in a build without FFmpeg or whose libavcodec has no PNG.
std::vector<std::uint8_t> png_image(int width, int height, std::span<const std::uint8_t> rgb);

/// Throws the InputError of png_image() where that would.
void require_png();

} // namespace tandem
