// SPDX-License-Identifier: BSD-2-Clause
// Videos that libavcodec codes and libavformat writes: for drawings, which everybody's programs are to show.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "video/frame.h"

namespace tandem {

/// Takes pictures in their order; the file appears in finish(). RunError where writing or coding fails. One thread
/// codes, so that the bytes do not depend on how many there are.
class CodedFile {
  public:
    class State;
    explicit CodedFile(std::unique_ptr<State> state);
    ~CodedFile();

    void write(const Frame& picture);                  ///< Of create_h264_file().
    void write_rgb(std::span<const std::uint8_t> rgb); ///< Of create_gif_file(): 3 * width * height samples.
    void finish();

  private:
    std::unique_ptr<State> state_;
};

/// Whether files of this extension (.mp4, .mov, .mkv) hold H.264 where there is an encoder for it.
bool holds_h264(const std::string& extension);

/// H.264 in the container that the extension says (holds_h264()), by the first of libavcodec's encoders that opens:
/// libx264, libopenh264, then any other. Null where none does, and in a build without FFmpeg. Both sides of `format`
/// are even. Throws InputError where the file cannot be written.
std::unique_ptr<CodedFile> create_h264_file(const std::string& path, const VideoFormat& format);

/// An animation that repeats, in 216 colours and 40 greys. GIF counts time in hundredths of a second. Throws InputError
/// where the file cannot be written, or this build has no FFmpeg or its libavcodec no GIF.
std::unique_ptr<CodedFile> create_gif_file(const std::string& path, const VideoFormat& format);

} // namespace tandem
