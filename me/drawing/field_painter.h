// SPDX-License-Identifier: BSD-2-Clause
// A motion field as arrows over its picture.
#pragma once

#include <string>

#include "me/drawing/canvas.h"
#include "me/fields/field_file.h"
#include "me/motion_field.h"
#include "video/frame.h"

namespace tandem {

/// Paints the fields of one clip, all at one scale. The picture is grey and dimmed, small pictures are enlarged by a
/// whole factor, thin lines show the blocks. An arrow begins in the middle of its block and points to where the
/// prediction comes from; it is as long as the legend below the picture says, and its colour tells its length.
/// A zero vector is a dot. Two fields have one colour each, the first above the other.
class FieldPainter {
  public:
    /// `longest`: the length in pels at the end of the colour scale; 0: a power of two that 95 of 100 vectors of the
    /// first field painted do not exceed.
    FieldPainter(const FieldGeometry& geometry, double longest);

    int width() const;  ///< Of every canvas.
    int height() const; ///< The picture's and the legend's.

    /// Chooses the scale by this field, unless it is chosen.
    void fit(const MotionField& field) {
        if (stretch_ == 0) choose_scale(field);
    }
    /// `title`: small letters and digits for the legend. `other` may be null. After fit(); thread-safe.
    Canvas painted(const Frame& picture, const std::string& title, const MotionField& field,
                   const MotionField* other) const;
    /// Both.
    Canvas paint(const Frame& picture, const std::string& title, const MotionField& field, const MotionField* other);

  private:
    void choose_scale(const MotionField& field);
    void paint_picture(Canvas& canvas, PlaneView luma) const;
    void paint_grid(Canvas& canvas) const;
    void paint_field(Canvas& canvas, const MotionField& field, const Colour* colour) const;
    void paint_arrow(Canvas& canvas, Place from, double dx, double dy, Colour colour) const;
    void paint_legend(Canvas& canvas, const std::string& title, bool two) const;

    FieldGeometry geometry_;
    int zoom_;             ///< Samples of the canvas for one of the picture.
    double longest_;       ///< Pels; 0 until it is known.
    double stretch_ = 0;   ///< Length of an arrow over that of its vector; 0 until it is known.
    double thickness_ = 1; ///< Of an arrow, in samples of the canvas.
};

} // namespace tandem
