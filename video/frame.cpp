// SPDX-License-Identifier: BSD-2-Clause
#include "video/frame.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>

#include "machine/workers.h"

namespace tandem {

namespace {

constexpr std::size_t row_alignment = 64;
constexpr std::ptrdiff_t crowded = 512; ///< Rows so far apart share an eighth of the sets of a cache of 4 KiB ways.

/// What a plane without a border has memory for.
int rows_with_room(int height) { return (height + 15) / 16 * 16; }

std::size_t round_up(std::size_t bytes) { return (bytes + row_alignment - 1) / row_alignment * row_alignment; }

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

Plane::Plane(int width, int height, int border) : width_(width), height_(height), border_(border) {
    if (width < 1 || height < 1) {
        throw std::invalid_argument("a plane of " + std::to_string(width) + "x" + std::to_string(height) + " samples");
    }
    if (border < 0 || border > 4096) {
        throw std::invalid_argument("a border of " + std::to_string(border) + " samples is outside 0..4096");
    }
    const std::size_t left = round_up(static_cast<std::size_t>(border));
    stride_ = static_cast<std::ptrdiff_t>(left + round_up(static_cast<std::size_t>(width + border)));
    if (stride_ % crowded == 0) stride_ += row_alignment;
    const int room = border == 0 ? rows_with_room(height) : height;
    const std::size_t rows = static_cast<std::size_t>(room) + 2 * static_cast<std::size_t>(border);
    const std::size_t bytes = rows * static_cast<std::size_t>(stride_) + 2 * row_alignment;
    memory_ = SampleMemory(bytes);
    origin_ =
        memory_.data() + row_alignment + static_cast<std::size_t>(border) * static_cast<std::size_t>(stride_) + left;
    // Kernels read over the ends of rows and drop what they made of it, which a checker of memory cannot know.
    const auto gap = static_cast<std::size_t>(stride_ - width - 2 * border);
    for (int y = -border; gap > 0 && y < height + border; ++y)
        std::memset(view().row(y) + width + border, 0, gap);
    end_with_zeros();
}

/// Behind the last row.
void Plane::end_with_zeros() {
    std::memset(view().row(height_ + border_) - round_up(static_cast<std::size_t>(border_)), 0, row_alignment);
}

void Plane::grow(int width, int height) {
    if (border_ != 0 || width < width_ || height < height_ || width > stride_ || height > rows_with_room(height_))
        throw std::logic_error("a plane of " + std::to_string(width_) + "x" + std::to_string(height_) +
                               " samples has no room to grow to " + std::to_string(width) + "x" +
                               std::to_string(height));
    const auto columns = static_cast<std::size_t>(width - width_);
    const MutablePlaneView grown{origin_, width, height, stride_};
    for (int y = 0; y < height_ && columns > 0; ++y)
        std::memset(grown.row(y) + width_, grown.row(y)[width_ - 1], columns);
    for (int y = height_; y < height; ++y)
        std::memcpy(grown.row(y), grown.row(height_ - 1), static_cast<std::size_t>(stride_));
    width_ = width;
    height_ = height;
    end_with_zeros();
}

void Plane::fill(std::uint8_t value) {
    for (int y = -border_; y < height_ + border_; ++y) {
        std::memset(view().row(y) - border_, value, static_cast<std::size_t>(width_ + 2 * border_));
    }
}

void Plane::extend_border() {
    if (border_ == 0) return;
    const auto border = static_cast<std::size_t>(border_);
    const auto width = static_cast<std::size_t>(width_);
    const MutablePlaneView plane = view();
    for (int y = 0; y < height_; ++y) {
        std::uint8_t* row = plane.row(y);
        std::memset(row - border, row[0], border);
        std::memset(row + width, row[width - 1], border);
    }
    for (int y = 1; y <= border_; ++y) {
        std::memcpy(plane.row(-y) - border, plane.row(0) - border, width + 2 * border);
        std::memcpy(plane.row(height_ - 1 + y) - border, plane.row(height_ - 1) - border, width + 2 * border);
    }
}

void copy_and_extend(PlaneView from, MutablePlaneView to, Workers* workers) {
    const auto width = static_cast<std::size_t>(from.width), beyond = static_cast<std::size_t>(to.width) - width;
    for_bands(workers, to.height, to.width, [&](int first, int end) {
        for (int y = first; y < end; ++y) {
            const std::uint8_t* source = from.row(std::min(y, from.height - 1));
            std::memcpy(to.row(y), source, width);
            std::memset(to.row(y) + width, source[width - 1], beyond);
        }
    });
}

Frame::Frame(int width, int height, int border)
    : planes_{Plane(width, height, border), Plane(chroma_size(width), chroma_size(height), (border + 1) / 2),
              Plane(chroma_size(width), chroma_size(height), (border + 1) / 2)},
      serial_(next_serial()) {}

void Frame::extend_border() {
    for (Plane& plane : planes_)
        plane.extend_border();
}

void Frame::grow(int width, int height) {
    planes_[0].grow(width, height);
    for (int i = 1; i < 3; ++i)
        plane(i).grow(chroma_size(width), chroma_size(height));
}

} // namespace tandem
