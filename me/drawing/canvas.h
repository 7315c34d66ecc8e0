// SPDX-License-Identifier: BSD-2-Clause
// A picture of red, green and blue to draw on, with smooth edges.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "video/plane.h"

namespace tandem {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
};

/// A place on a canvas: (0, 0) is the top left corner of the top left sample, (0.5, 0.5) its middle.
struct Place {
    double x = 0, y = 0;
};

/// Owns its samples. Whatever lies outside is not drawn.
class Canvas {
  public:
    /// All black.
    Canvas(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    /// Red, green, blue, sample by sample, row by row.
    std::span<const std::uint8_t> samples() const { return samples_; }
    Colour at(int x, int y) const;

    /// Puts `colour` over a sample; `opacity` 0 (nothing) to 1 (all of it).
    void blend(int x, int y, Colour colour, double opacity);
    void fill(int x, int y, int width, int height, Colour colour, double opacity = 1);
    /// A line with round ends, `width` samples thick.
    void line(Place from, Place to, double width, Colour colour);
    void triangle(Place a, Place b, Place c, Colour colour);
    /// Letters of 5x7 points (see glyph()), each `size` samples; (x, y) is the top left. Returns where the next would
    /// stand.
    int text(int x, int y, int size, std::string_view words, Colour colour);

  private:
    int width_, height_;
    std::vector<std::uint8_t> samples_;
};

} // namespace tandem
