// SPDX-License-Identifier: BSD-2-Clause
// Decodes an elementary stream in process, strictly: what `--verify` compares our reconstruction with, and what
// `tandem compare` measures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/errors.h"
#include "video/codec.h"
#include "video/frame.h"

namespace tandem {

/// One stream, from its first sequence header to its end. Not thread-safe.
/// libavcodec with one thread and no tolerance: whatever the decoder complains of is a RunError with its words.
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

/// With the double-precision-like inverse DCT `faani`, so that rounding differs from an exact one by at most 1 and
/// rarely. Throws InputError in a build without FFmpeg.
std::unique_ptr<StreamDecoder> make_stream_decoder(Codec codec, StreamDecoder::Output output);

/// A vector that was coded: prediction(p) = reference(p + (dx, dy)), in pels.
struct DecodedVector {
    int x = 0, y = 0; ///< Centre of its block, in pels.
    float dx = 0, dy = 0;
    bool forward = true; ///< From an earlier picture.
};

struct DecodedPicture {
    const Frame& frame; ///< Valid during the call.
    char type = '?';    ///< I, P or B.
    std::vector<DecodedVector> vectors;
};

struct StreamDecoderOptions {
    bool exact_idct = true; ///< MPEG: `faani`, as above; false: FFmpeg's own choice, which is what most people see.
    bool vectors = false;
};

/// The same for any codec of libavcodec, by its name there ("mpeg2video", "h264"), with what is known of the pictures.
std::unique_ptr<StreamDecoder> make_stream_decoder(const std::string& codec, const StreamDecoderOptions& options,
                                                   std::function<void(const DecodedPicture&)> output);

/// True where make_stream_decoder(), containers and sources other than y4m and yuv work.
bool built_with_libav();

} // namespace tandem
