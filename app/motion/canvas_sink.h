// SPDX-License-Identifier: BSD-2-Clause
// --draw: where painted fields go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "me/drawing/canvas.h"
#include "video/frame.h"

namespace tandem {

/// A canvas as a sink wants it: the bytes of a picture's file, samples of red, green and blue, or a frame.
struct DrawnPicture {
    std::vector<std::uint8_t> bytes;
    std::unique_ptr<Frame> frame;
};

/// Takes the pictures of a clip in order.
class CanvasSink {
  public:
    virtual ~CanvasSink() = default;
    /// Asked once for each picture, in order; false when it and all after it are not wanted.
    virtual bool wants() { return true; }
    /// What write() is given. Thread-safe.
    virtual DrawnPicture made_of(const Canvas& canvas) const = 0;
    virtual void write(DrawnPicture drawn, std::int64_t picture) = 0;
    virtual void finish() = 0;
};

/// By the name: .png takes the first canvas; with %d or %04d in it, it gets a file for each, numbered by picture; a
/// folder (a name that ends with / or is one) gets 000001.png and so on, and is made where it does not exist; .gif is
/// an animation; .mp4, .mov and .mkv are H.264 by libavcodec, or MPEG-2 where it has no encoder for that, which a line
/// says; other containers and streams are MPEG-2 by Tandem's own encoder. Throws InputError where that cannot be
/// written. `format`: of the canvases. `threads`: of Tandem's encoder.
std::unique_ptr<CanvasSink> open_canvas_sink(const std::string& path, const VideoFormat& format, int threads);

/// Whether drawing to `path` makes a folder of pictures.
bool is_drawing_folder(const std::string& path);
/// Whether the name, which has no folder, is one that drawing to `path` gives to a picture: a number in a folder, or
/// what a number makes of a name with %d.
bool is_picture_of(const std::string& path, const std::string& name);
/// The folder that such pictures are in; empty where the drawing is one file.
std::string folder_of_pictures(const std::string& path);

/// Whether the file `name` is one of those that drawing to `path` may write: itself, or a numbered picture. Links are
/// followed.
bool is_drawing_of(const std::string& path, const std::string& name);

} // namespace tandem
