// SPDX-License-Identifier: BSD-2-Clause
// Where frames go: YUV4MPEG2 and bare planes, in files and pipes.
#pragma once

#include <memory>
#include <string>

#include "video/frame.h"

namespace tandem {

/// Takes frames in display order, with the same promises as PacketSink.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    /// Writes the top left format.width x format.height samples of the frame (which may be larger).
    virtual void write(const Frame& frame) = 0;
    /// All is written, and checked; the file has its name after finish().
    virtual void close() = 0;
    virtual void finish() = 0;
};

/// "-", /dev/stdout and their like, and .y4m write YUV4MPEG2; .yuv writes bare planes.
std::unique_ptr<FrameSink> open_frame_sink(const std::string& path, const VideoFormat& format);

} // namespace tandem
