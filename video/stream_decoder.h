// SPDX-License-Identifier: BSD-2-Clause
// Decodes an MPEG-1 or MPEG-2 elementary stream in process, strictly: what `--verify` compares our reconstruction with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "video/frame.h"
#include "video/sink.h"

namespace tandem {

/// One stream, from its first sequence header to its end. Not thread-safe.
/// libavcodec with one thread, the double-precision-like inverse DCT `faani` (so that rounding differs from an exact
/// one by at most 1 and rarely), and no tolerance: whatever the decoder complains of is a RunError with its words.
class StreamDecoder {
  public:
    /// Called with the pictures in display order, at the size that the stream displays, from inside push() and
    /// finish().
    using Output = std::function<void(const Frame&)>;

    virtual ~StreamDecoder() = default;
    /// The next bytes of the stream, cut anywhere: one picture, several, or a part of one.
    virtual void push(std::span<const std::uint8_t> bytes) = 0;
    /// Delivers the pictures that are left; no push() after it.
    virtual void finish() = 0;
};

/// Throws InputError in a build without FFmpeg.
std::unique_ptr<StreamDecoder> make_stream_decoder(VideoCodec codec, StreamDecoder::Output output);

/// True where make_stream_decoder(), containers and sources other than y4m and yuv work.
bool built_with_libav();

} // namespace tandem
