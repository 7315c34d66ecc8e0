// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/shown_picture.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "video/libav/writing/png_image.h"

namespace tandem {
namespace {

constexpr int most_width = 352, most_height = 288, small_width = 480, rows_of_standard_definition = 576;

/// RFC 4648 clause 4.
std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::uint8_t clipped(double value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)); }

/// H.273 clause 8.3: from the weights of red and blue in luma.
struct Matrix {
    double red, blue;
};
constexpr Matrix bt601{0.299, 0.114}, bt709{0.2126, 0.0722};

void append_colour(std::vector<std::uint8_t>& rgb, const Matrix& matrix, int luma, int cb, int cr) {
    const double y = (luma - 16) * 255.0 / 219, u = (cb - 128) * 255.0 / 224, v = (cr - 128) * 255.0 / 224;
    const double red = y + 2 * (1 - matrix.red) * v, blue = y + 2 * (1 - matrix.blue) * u;
    const double green = (y - matrix.red * red - matrix.blue * blue) / (1 - matrix.red - matrix.blue);
    for (const double value : {red, green, blue})
        rgb.push_back(clipped(value));
}

} // namespace

ShownPicture middle_of(const Frame& frame, std::int64_t picture) {
    ShownPicture shown;
    shown.picture = picture;
    shown.width = std::min(frame.width(), most_width);
    shown.height = std::min(frame.height(), most_height);
    shown.left = (frame.width() - shown.width) / 2;
    shown.top = (frame.height() - shown.height) / 2;
    const Matrix& matrix = frame.height() <= rows_of_standard_definition ? bt601 : bt709;
    const PlaneView luma = frame.plane(0).view(), cb = frame.plane(1).view(), cr = frame.plane(2).view();
    std::vector<std::uint8_t> rgb;
    for (int y = shown.top; y < shown.top + shown.height; ++y)
        for (int x = shown.left; x < shown.left + shown.width; ++x)
            append_colour(rgb, matrix, luma.at(x, y), cb.at(x / 2, y / 2), cr.at(x / 2, y / 2));
    shown.png = base64(png_image(shown.width, shown.height, rgb));
    return shown;
}

std::string small_luma(const Frame& frame) {
    const int factor = (frame.width() + small_width - 1) / small_width;
    const int width = std::max(1, frame.width() / factor), height = std::max(1, frame.height() / factor);
    const PlaneView luma = frame.plane(0).view();
    std::vector<std::uint8_t> rgb;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int sum = 0;
            for (int i = 0; i < factor * factor; ++i)
                sum += luma.at(std::min(x * factor + i % factor, luma.width - 1),
                               std::min(y * factor + i / factor, luma.height - 1));
            rgb.insert(rgb.end(), 3, static_cast<std::uint8_t>(sum / (factor * factor)));
        }
    return base64(png_image(width, height, rgb));
}

} // namespace tandem
