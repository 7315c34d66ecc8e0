// SPDX-License-Identifier: BSD-2-Clause
#include "me/drawing/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "me/drawing/glyphs.h"
#include "me/length.h"

namespace tandem {
namespace {

/// The samples that a shape between these places can touch.
struct Box {
    int left, top, right, bottom; ///< The last two are beyond it.
};

Box box_of(std::span<const Place> places, double margin, const Canvas& canvas) {
    const auto [left, right] = std::ranges::minmax(places, {}, &Place::x);
    const auto [top, bottom] = std::ranges::minmax(places, {}, &Place::y);
    const auto cut = [](double value, int most) { return static_cast<int>(std::clamp<double>(value, 0, most)); };
    return {cut(std::floor(left.x - margin), canvas.width()), cut(std::floor(top.y - margin), canvas.height()),
            cut(std::ceil(right.x + margin), canvas.width()), cut(std::ceil(bottom.y + margin), canvas.height())};
}

double distance_from_line(Place place, Place from, Place to) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
    const double along =
        length > 0 ? std::clamp(((place.x - from.x) * dx + (place.y - from.y) * dy) / length, 0.0, 1.0) : 0;
    return length_of(place.x - from.x - along * dx, place.y - from.y - along * dy);
}

/// How far a place lies outside of the edge a-b, whose inner side is the side of c; negative inside.
double beyond_edge(Place place, Place a, Place b, Place c) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = length_of(dx, dy);
    if (length == 0) return 0;
    const double side = ((place.x - a.x) * dy - (place.y - a.y) * dx) / length;
    const double inner = (c.x - a.x) * dy - (c.y - a.y) * dx;
    return inner > 0 ? -side : side;
}

/// How much of a sample a shape covers whose edge is this far from the sample's middle; negative: inside the shape.
double coverage(double beyond) { return std::clamp(0.5 - beyond, 0.0, 1.0); }

Place middle_of(int x, int y) { return {x + 0.5, y + 0.5}; }

} // namespace

Canvas::Canvas(int width, int height)
    : width_(width), height_(height), samples_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
}

Colour Canvas::at(int x, int y) const {
    const std::uint8_t* sample = samples_.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                                        static_cast<std::size_t>(x));
    return {sample[0], sample[1], sample[2]};
}

void Canvas::blend(int x, int y, Colour colour, double opacity) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || opacity <= 0) return;
    std::uint8_t* sample = samples_.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                                  static_cast<std::size_t>(x));
    const std::array<std::uint8_t, 3> over{colour.red, colour.green, colour.blue};
    for (std::size_t i = 0; i < over.size(); ++i)
        sample[i] = static_cast<std::uint8_t>(std::lround(sample[i] + (over[i] - sample[i]) * std::min(opacity, 1.0)));
}

void Canvas::fill(int x, int y, int width, int height, Colour colour, double opacity) {
    for (int j = std::max(y, 0); j < std::min(y + height, height_); ++j)
        for (int i = std::max(x, 0); i < std::min(x + width, width_); ++i)
            blend(i, j, colour, opacity);
}

void Canvas::line(Place from, Place to, double width, Colour colour) {
    const Box box = box_of(std::array{from, to}, width / 2 + 1, *this);
    for (int y = box.top; y < box.bottom; ++y)
        for (int x = box.left; x < box.right; ++x)
            blend(x, y, colour, coverage(distance_from_line(middle_of(x, y), from, to) - width / 2));
}

void Canvas::triangle(Place a, Place b, Place c, Colour colour) {
    const Box box = box_of(std::array{a, b, c}, 1, *this);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            const Place place = middle_of(x, y);
            const double beyond =
                std::max({beyond_edge(place, a, b, c), beyond_edge(place, b, c, a), beyond_edge(place, c, a, b)});
            blend(x, y, colour, coverage(beyond));
        }
    }
}

int Canvas::text(int x, int y, int size, std::string_view words, Colour colour) {
    for (const char letter : words) {
        const Glyph& shape = glyph(letter);
        for (int row = 0; row < glyph_height; ++row)
            for (int column = 0; column < glyph_width; ++column)
                if (shape[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#')
                    fill(x + column * size, y + row * size, size, size, colour);
        x += (glyph_width + 1) * size;
    }
    return x;
}

} // namespace tandem
