// SPDX-License-Identifier: BSD-2-Clause
// --draw: where painted fields go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "me/drawing/field_painter.h"

namespace tandem {

/// Takes the canvases of a clip in order.
class CanvasSink {
  public:
    virtual ~CanvasSink() = default;
    /// False when this canvas and all after it are not wanted.
    virtual bool wants(std::int64_t picture) const = 0;
    virtual void write(const Canvas& canvas, std::int64_t picture) = 0;
    virtual void finish() = 0;
};

/// By the name: .png takes the first canvas; a folder (a name that ends with / or is one) gets 000001.png and so on,
/// numbered by picture, and is made where it does not exist; anything else is a video, coded as MPEG-2 by Tandem's own
/// encoder, in the container that the extension says. Throws InputError where that cannot be written.
/// `format`: of the canvases.
std::unique_ptr<CanvasSink> open_canvas_sink(const std::string& path, const VideoFormat& format, int threads);

/// Whether drawing to `path` makes a folder of pictures.
bool is_drawing_folder(const std::string& path);
/// Whether such a folder's pictures have names like this one, which has no folder.
bool is_picture_of_folder(const std::string& name);

/// Whether the file `name` is one of those that drawing to `path` may write: itself, or a numbered picture of the
/// folder. Links are followed.
bool is_drawing_of(const std::string& path, const std::string& name);

class FieldDrawing {
  public:
    FieldDrawing(const std::string& path, const VideoFormat& format, const FieldGeometry& geometry, double longest,
                 int threads);
    void draw(const Frame& picture, const std::string& title, std::int64_t number, const MotionField& field,
              const MotionField* other);
    void finish() { sink_->finish(); }

  private:
    FieldPainter painter_;
    std::unique_ptr<CanvasSink> sink_;
};

} // namespace tandem
