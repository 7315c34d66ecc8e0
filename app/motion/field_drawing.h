// SPDX-License-Identifier: BSD-2-Clause
// --draw: fields painted over their pictures, several at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/canvas_sink.h"
#include "machine/workers.h"
#include "me/drawing/field_painter.h"

namespace tandem {

class FieldDrawing {
  public:
    /// `workers` outlive it: each paints a picture, and what they have painted is written in order.
    FieldDrawing(const std::string& path, const VideoFormat& format, const FieldGeometry& geometry, double longest,
                 Workers& workers);
    void draw(FramePtr picture, const std::string& title, std::int64_t number, const MotionField& field,
              const MotionField* other);
    void finish();

  private:
    struct Waiting {
        FramePtr picture;
        std::string title;
        std::int64_t number;
        MotionField field;
        std::optional<MotionField> other;
    };
    void paint_those_that_wait();

    FieldPainter painter_;
    Workers& workers_;
    std::unique_ptr<CanvasSink> sink_;
    std::vector<Waiting> waiting_;
};

} // namespace tandem
