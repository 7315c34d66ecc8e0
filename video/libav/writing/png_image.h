// SPDX-License-Identifier: BSD-2-Clause
// Pictures of red, green and blue as PNG, by libavcodec: written with 8 bits, read with 16.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tandem {

/// The bytes of a PNG file with 8 bits a channel. `rgb`: 3 * width * height samples, row by row.
/// Throws RunError when libavcodec fails, InputError in a build without FFmpeg or whose libavcodec has no PNG.
std::vector<std::uint8_t> png_image(int width, int height, std::span<const std::uint8_t> rgb);

/// Throws the InputError of png_image() where that would.
void require_png();

/// What a PNG file with 16 bits a channel holds.
struct DeepPicture {
    int width = 0, height = 0;
    std::vector<std::uint16_t> rgb; ///< 3 * width * height samples, row by row.
};

/// Throws InputError where the file cannot be read, is no PNG, or has no red, green and blue of 16 bits, and in a build
/// without FFmpeg. `stop`: as ByteReader's.
DeepPicture read_deep_png(const std::string& path, const std::atomic<bool>* stop = nullptr);

} // namespace tandem
