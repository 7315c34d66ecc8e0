// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/compensation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine/errors.h"
#include "me/block.h"
#include "me/samples/interpolation.h"

namespace tandem {

namespace {

/// Rows of a plane as if its edges went on for ever.
class ReplicatedRows {
  public:
    ReplicatedRows(PlaneView plane, int x, int width) : plane_(plane), x_(x), width_(width) {}

    /// Samples x .. x + width of row y, in the plane itself where they lie inside, else in `copy`.
    const std::uint8_t* row(int y, std::vector<std::uint8_t>& copy) const {
        const std::uint8_t* inside = plane_.row(std::clamp(y, 0, plane_.height - 1));
        if (x_ >= 0 && x_ + width_ < plane_.width) return inside + x_;
        copy.resize(static_cast<std::size_t>(width_) + 1);
        for (int i = 0; i <= width_; ++i)
            copy[static_cast<std::size_t>(i)] = inside[std::clamp(x_ + i, 0, plane_.width - 1)];
        return copy.data();
    }

  private:
    PlaneView plane_;
    int x_, width_;
};

/// A rectangle of `to` from the reference displaced by (dx, dy) sixteenths of a sample. With even sixteenths this is
/// the bilinear formula of interpolation.h in eighths: all weights are four times as large, and so are the divisor and
/// half of it.
void predict_bilinear(PlaneView reference, const BlockRect& block, int dx, int dy, MutablePlaneView to) {
    const int ax = dx & 15, ay = dy & 15;
    const int a = (16 - ax) * (16 - ay), b = ax * (16 - ay), c = (16 - ax) * ay, d = ax * ay;
    const ReplicatedRows rows(reference, block.x + (dx >> 4), block.width);
    std::vector<std::uint8_t> copy_above, copy_below;
    for (int y = 0; y < block.height; ++y) {
        const int from = block.y + y + (dy >> 4);
        const std::uint8_t* above = rows.row(from, copy_above);
        std::uint8_t* out = to.row(block.y + y) + block.x;
        if ((ax | ay) == 0) {
            std::memcpy(out, above, static_cast<std::size_t>(block.width));
            continue;
        }
        const std::uint8_t* below = rows.row(from + 1, copy_below);
        for (int x = 0; x < block.width; ++x) {
            out[x] = static_cast<std::uint8_t>(
                (a * above[x] + b * above[x + 1] + c * below[x] + d * below[x + 1] + 128) >> 8);
        }
    }
}

/// A component of a vector, shortened where the block and its six taps lie wholly outside: further out are the same
/// samples, and planes that reached there would take the memory of thousands of rows.
int as_near(int eighths, int at, int size, int picture) {
    constexpr int before = 2, after = 3; // Taps on either side of a sample.
    const int to = std::clamp(at + (eighths >> 3), 1 - size - after, picture - 1 + before);
    return (to - at) * eighths_per_pel + (eighths & (eighths_per_pel - 1));
}

Mv as_near(Mv mv, const BlockRect& block, PlaneView reference) {
    return {static_cast<std::int16_t>(as_near(mv.x, block.x, block.width, reference.width)),
            static_cast<std::int16_t>(as_near(mv.y, block.y, block.height, reference.height))};
}

void predict_from_planes(const SubpelPlanes& planes, const BlockRect& block, Mv mv, MutablePlaneView to) {
    const std::uint8_t* from = planes.at(block.x, block.y, as_near(mv, block, planes.plane(0, 0)));
    for (int y = 0; y < block.height; ++y)
        std::memcpy(to.row(block.y + y) + block.x, from + y * planes.stride(), static_cast<std::size_t>(block.width));
}

/// The six-tap planes that a field's vectors need: as fine as the finest, with a border as far as they reach outside.
SubpelPlanes six_tap_planes(PlaneView luma, const MotionField& field, Workers& workers) {
    int precision = 1, border = 0;
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const BlockRect block = block_rect(field, column, row);
            const Mv mv = as_near(field.best(column, row).mv, block, luma);
            if (((mv.x | mv.y) & 1) != 0)
                throw InputError("a vector in eighths of a pel; six-tap interpolation ends at 1/4");
            while (((mv.x | mv.y) & (eighths_per_pel / precision - 1)) != 0)
                precision *= 2;
            border = std::max({border, -(block.x + (mv.x >> 3)), -(block.y + (mv.y >> 3)),
                               block.x + block.width + (mv.x >> 3) - luma.width,
                               block.y + block.height + (mv.y >> 3) - luma.height});
        }
    }
    return {luma, precision, Interpolation::six_tap, border, &workers};
}

} // namespace

std::unique_ptr<Frame> predict_picture(const Frame& reference, const MotionField& field, Interpolation interpolation,
                                       Workers& workers) {
    if (field.picture_width() != reference.width() || field.picture_height() != reference.height()) {
        throw InputError("a motion field of a " + std::to_string(field.picture_width()) + "x" +
                         std::to_string(field.picture_height()) + " picture on one of " +
                         std::to_string(reference.width()) + "x" + std::to_string(reference.height()));
    }
    std::optional<SubpelPlanes> planes;
    if (interpolation == Interpolation::six_tap) planes = six_tap_planes(reference.luma().view(), field, workers);
    auto prediction = std::make_unique<Frame>(reference.width(), reference.height());
    workers.for_each(field.rows(), [&](int row, int) {
        for (int column = 0; column < field.columns(); ++column) {
            const Mv mv = field.best(column, row).mv;
            const BlockRect block = block_rect(field, column, row);
            if (planes)
                predict_from_planes(*planes, block, mv, prediction->plane(0).view());
            else
                predict_bilinear(reference.luma().view(), block, 2 * mv.x, 2 * mv.y, prediction->plane(0).view());
            for (int plane = 1; plane < 3; ++plane) {
                predict_bilinear(reference.plane(plane).view(), chroma_rect(block), mv.x, mv.y,
                                 prediction->plane(plane).view());
            }
        }
    });
    return prediction;
}

namespace {

/// Between samples, or where an edge goes on for ever.
std::uint8_t blended(PlaneView plane, double x, double y) {
    x = std::clamp<double>(x, 0, plane.width - 1);
    y = std::clamp<double>(y, 0, plane.height - 1);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const int right = std::min(left + 1, plane.width - 1), bottom = std::min(top + 1, plane.height - 1);
    const double to_right = x - left, down = y - top;
    const double above = plane.at(left, top) + (plane.at(right, top) - plane.at(left, top)) * to_right;
    const double below = plane.at(left, bottom) + (plane.at(right, bottom) - plane.at(left, bottom)) * to_right;
    return static_cast<std::uint8_t>(above + (below - above) * down + 0.5);
}

} // namespace

std::unique_ptr<Frame> predict_samples(const Frame& reference, std::span<const Pels> vectors, Workers& workers) {
    const auto width = static_cast<std::size_t>(reference.width());
    if (vectors.size() != width * static_cast<std::size_t>(reference.height()))
        throw InputError(std::to_string(vectors.size()) + " vectors for a picture of " +
                         std::to_string(reference.width()) + "x" + std::to_string(reference.height()) + " samples");
    auto prediction = std::make_unique<Frame>(reference.width(), reference.height());
    for (int i = 0; i < 3; ++i) {
        const PlaneView from = reference.plane(i).view();
        const MutablePlaneView to = prediction->plane(i).view();
        const int part = i == 0 ? 1 : 2; // Luma samples from one of the plane to the next.
        for_bands(&workers, to.height, to.width, [&](int first, int end) {
            for (int y = first; y < end; ++y) {
                for (int x = 0; x < to.width; ++x) {
                    const Pels& vector =
                        vectors[static_cast<std::size_t>(part * y) * width + static_cast<std::size_t>(part * x)];
                    const bool moves = !std::isnan(vector.x);
                    to.at(x, y) = blended(from, x + (moves ? double{vector.x} / part : 0),
                                          y + (moves ? double{vector.y} / part : 0));
                }
            }
        });
    }
    return prediction;
}

std::unique_ptr<Frame> residual_picture(const Frame& current, const Frame& prediction) {
    if (current.width() != prediction.width() || current.height() != prediction.height())
        throw std::invalid_argument("a picture and a prediction of different sizes");
    auto residual = std::make_unique<Frame>(current.width(), current.height());
    for (int i = 0; i < 3; ++i) {
        const PlaneView a = current.plane(i).view(), b = prediction.plane(i).view();
        const MutablePlaneView to = residual->plane(i).view();
        for (int y = 0; y < to.height; ++y) {
            for (int x = 0; x < to.width; ++x)
                to.at(x, y) = static_cast<std::uint8_t>(std::clamp(a.at(x, y) - b.at(x, y) + 128, 0, 255));
        }
    }
    return residual;
}

} // namespace tandem
