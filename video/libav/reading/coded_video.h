// SPDX-License-Identifier: BSD-2-Clause
// A coded video taken apart: its pictures with all that libavcodec tells of how they were coded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/errors.h"
#include "video/frame.h"

namespace tandem {

/// A block with a vector: prediction(p) = reference(p + (dx, dy)).
struct CodedBlock {
    int x = 0, y = 0; ///< Its left upper corner, in luma samples.
    int width = 0, height = 0;
    float dx = 0, dy = 0; ///< In pels.
    bool forward = true;  ///< From an earlier picture.
};

/// A block with a quantiser.
struct CodedQuantiser {
    int x = 0, y = 0; ///< Its left upper corner, in luma samples.
    int width = 0, height = 0;
    float quantiser =
        0; ///< As libavcodec has it; of MPEG half of quantiser_scale, which is the code where that is linear.
};

struct CodedVideoPicture {
    FramePtr frame;
    char type = '?';                        ///< I, P or B; ? where that is not known.
    std::int64_t coding = 0;                ///< Its packet's place in the file, from 0.
    std::vector<CodedBlock> vectors;        ///< Empty where libavcodec gives none.
    std::vector<CodedQuantiser> quantisers; ///< The same.
};

/// Not thread-safe.
class CodedVideo {
  public:
    virtual ~CodedVideo() = default;
    /// The next picture in display order; nothing at the end. InputError where the video is broken.
    virtual std::optional<CodedVideoPicture> read() = 0;
    /// Of the pictures that were read.
    virtual const VideoFormat& format() const = 0;
    virtual std::string codec() const = 0; ///< By libavcodec's name.
    /// Bytes of the packets so far, in coding order.
    virtual const std::vector<std::int64_t>& packets() const = 0;
    /// The bytes of the first packet, with the headers at its beginning.
    virtual const std::vector<std::uint8_t>& beginning() const = 0;
};

/// Opens a file's video by libavformat. Throws InputError for what is none, and in a build without FFmpeg.
std::unique_ptr<CodedVideo> open_coded_video(const std::string& path);

} // namespace tandem
