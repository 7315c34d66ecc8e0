// SPDX-License-Identifier: BSD-2-Clause
#include "me/drawing/field_painter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "me/block.h"
#include "me/length.h"
#include "me/rows/setting_row.h"

namespace tandem {
namespace {

constexpr Colour white{255, 255, 255}, dark{12, 12, 16}, strip{30, 32, 38}, letters{225, 228, 235};
constexpr Colour first_of_two{70, 215, 255}, second_of_two{255, 150, 40};
constexpr int letter_size = 2, legend_height = 30;

/// From short to long: blue, cyan, green, yellow, orange, red.
constexpr std::array<Colour, 6> length_colours{
    {{90, 150, 255}, {60, 220, 230}, {120, 235, 90}, {250, 225, 60}, {255, 150, 40}, {250, 60, 60}}};

/// `part` of the scale, 0..1; beyond it the last colour.
Colour colour_of(double part) {
    const double place = std::clamp(part, 0.0, 1.0) * (length_colours.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), length_colours.size() - 2);
    const double weight = place - static_cast<double>(below);
    const auto mixed = [&](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(a + (b - a) * weight));
    };
    const Colour &a = length_colours[below], &b = length_colours[below + 1];
    return {mixed(a.red, b.red), mixed(a.green, b.green), mixed(a.blue, b.blue)};
}

int ratio_up(int value, int by) { return (value + by - 1) / by; }

/// Pictures of about a thousand samples a row and blocks of at least twelve, within what MPEG-2 and a screen hold.
int zoom_for(const FieldGeometry& geometry) {
    constexpr int good_width = 1000, good_block = 12, most_width = 4000, most_height = 2600;
    const int wanted = std::max(ratio_up(good_width, geometry.picture_width),
                                ratio_up(good_block, std::min(geometry.block_width, geometry.block_height)));
    const int allowed = std::min(most_width / geometry.picture_width, most_height / geometry.picture_height);
    return std::max(1, std::min(wanted, allowed));
}

/// "x2", "/4", "x1".
std::string factor_text(double factor) {
    return factor >= 1 ? "x" + setting_number_text(factor) : "/" + setting_number_text(1 / factor);
}

} // namespace

FieldPainter::FieldPainter(const FieldGeometry& geometry, double longest)
    : geometry_(geometry), zoom_(zoom_for(geometry)), longest_(longest) {
    const double block = zoom_ * std::min(geometry.block_width, geometry.block_height);
    thickness_ = std::clamp(block / 18, 1.0, 2.6);
}

int FieldPainter::width() const { return zoom_ * geometry_.picture_width; }
int FieldPainter::height() const { return zoom_ * geometry_.picture_height + legend_height; }

void FieldPainter::choose_scale(const MotionField& field) {
    if (longest_ == 0) {
        std::vector<double> lengths;
        for (int row = 0; row < field.rows(); ++row)
            for (int column = 0; column < field.columns(); ++column)
                if (has_vector(field.best(column, row))) lengths.push_back(length_in_pels(field.best(column, row).mv));
        if (lengths.empty()) lengths.push_back(0);
        const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() * 95 / 100);
        std::nth_element(lengths.begin(), place, lengths.end());
        longest_ = std::bit_ceil(static_cast<unsigned>(std::max(1.0, std::ceil(*place))));
    }
    // The longest arrows reach a little beyond their own block.
    const double room = 1.25 * std::max(geometry_.block_width, geometry_.block_height);
    constexpr double most_stretch = 8;
    stretch_ = std::min(most_stretch, std::exp2(std::floor(std::log2(room / longest_))));
}

void FieldPainter::paint_picture(Canvas& canvas, PlaneView luma) const {
    for (int y = 0; y < luma.height * zoom_; ++y) {
        for (int x = 0; x < luma.width * zoom_; ++x) {
            const double light = (luma.at(x / zoom_, y / zoom_) - 16) * 255.0 / 219;
            const auto dimmed = static_cast<std::uint8_t>(std::clamp(0.55 * light + 22, 0.0, 255.0));
            canvas.blend(x, y, {dimmed, dimmed, dimmed}, 1);
        }
    }
}

void FieldPainter::paint_grid(Canvas& canvas) const {
    constexpr double faint = 0.16;
    const int width = zoom_ * geometry_.picture_width, height = zoom_ * geometry_.picture_height;
    for (int x = geometry_.block_width * zoom_; x < width; x += geometry_.block_width * zoom_)
        canvas.fill(x, 0, 1, height, white, faint);
    for (int y = geometry_.block_height * zoom_; y < height; y += geometry_.block_height * zoom_)
        canvas.fill(0, y, width, 1, white, faint);
}

/// The head is a part of the arrow's length, so that arrows of half a sample and of fifty are arrows.
void FieldPainter::paint_arrow(Canvas& canvas, Place from, double dx, double dy, Colour colour) const {
    const double length = length_of(dx, dy);
    const auto paint = [&](double margin, Colour paint_colour) {
        if (length < 1.5 * thickness_) {
            canvas.line(from, from, 2.2 * thickness_ + 2 * margin, paint_colour);
            return;
        }
        const double x = dx / length, y = dy / length;
        const double head = std::min(0.45 * length, 4.2 * thickness_) + margin, half = 0.55 * head + margin / 2;
        const Place tip{from.x + dx + x * margin, from.y + dy + y * margin};
        const Place neck{tip.x - x * head, tip.y - y * head};
        canvas.line(from, neck, thickness_ + 2 * margin, paint_colour);
        canvas.triangle(tip, {neck.x - y * half, neck.y + x * half}, {neck.x + y * half, neck.y - x * half},
                        paint_colour);
    };
    paint(1, dark);
    paint(0, colour);
}

void FieldPainter::paint_field(Canvas& canvas, const MotionField& field, const Colour* colour) const {
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& best = field.best(column, row);
            if (!has_vector(best)) continue;
            const BlockRect block = block_rect(field, column, row);
            const Place middle{zoom_ * (block.x + block.width / 2.0), zoom_ * (block.y + block.height / 2.0)};
            const double scale = stretch_ * zoom_ / eighths_per_pel;
            paint_arrow(canvas, middle, best.mv.x * scale, best.mv.y * scale,
                        colour != nullptr ? *colour : colour_of(length_in_pels(best.mv) / longest_));
        }
    }
}

void FieldPainter::paint_legend(Canvas& canvas, const std::string& title, bool two) const {
    const int top = zoom_ * geometry_.picture_height, middle = top + legend_height / 2, text_top = middle - 7;
    constexpr int gap = 24, bar_width = 180, bar_height = 12;
    canvas.fill(0, top, canvas.width(), legend_height, strip);
    int x = canvas.text(10, text_top, letter_size, title, letters) + gap;
    if (two) {
        for (const auto& [colour, words] :
             {std::pair{first_of_two, "this field"}, std::pair{second_of_two, "the other"}}) {
            paint_arrow(canvas, {static_cast<double>(x), static_cast<double>(middle)}, 26, 0, colour);
            x = canvas.text(x + 36, text_top, letter_size, words, letters) + gap;
        }
    } else {
        x = canvas.text(x, text_top, letter_size, "0 ", letters);
        for (int i = 0; i < bar_width; ++i)
            canvas.fill(x + i, middle - bar_height / 2, 1, bar_height, colour_of(i / (bar_width - 1.0)));
        x = canvas.text(x + bar_width, text_top, letter_size, " " + setting_number_text(longest_) + " pels", letters) +
            gap;
    }
    // A true length of one block's width, as arrows show it.
    const double shown = std::min(longest_, static_cast<double>(geometry_.block_width)) * stretch_ * zoom_;
    const double pels = std::min(longest_, static_cast<double>(geometry_.block_width));
    paint_arrow(canvas, {static_cast<double>(x), static_cast<double>(middle)}, shown, 0, white);
    canvas.text(x + static_cast<int>(shown) + 10, text_top, letter_size,
                setting_number_text(pels) + " pels. arrows " + factor_text(stretch_), letters);
}

Canvas FieldPainter::paint(const Frame& picture, const std::string& title, const MotionField& field,
                           const MotionField* other) {
    fit(field);
    return painted(picture, title, field, other);
}

Canvas FieldPainter::painted(const Frame& picture, const std::string& title, const MotionField& field,
                             const MotionField* other) const {
    Canvas canvas(width(), height());
    paint_picture(canvas, picture.luma().view());
    paint_grid(canvas);
    if (other != nullptr) paint_field(canvas, *other, &second_of_two);
    paint_field(canvas, field, other != nullptr ? &first_of_two : nullptr);
    paint_legend(canvas, title, other != nullptr);
    return canvas;
}

} // namespace tandem
