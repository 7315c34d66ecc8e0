// SPDX-License-Identifier: BSD-2-Clause
// --verify: another decoder must show what the encoder says it shows.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "machine/errors.h"
#include "video/codec.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/quality/quality.h"

namespace tandem {

/// Decodes the elementary stream as it is written and compares each picture with its reconstruction. Inverse DCTs may
/// differ by rounding (13818-2 annex A), so pictures need not be equal: all together must be over 60 dB and each over
/// 50 dB, in each plane. (An exact inverse DCT stays above 90 dB; a wrong vector or coefficient falls far below 50.)
class Verifier {
  public:
    /// Throws InputError in a build without FFmpeg.
    Verifier(Codec codec, int width, int height);
    void push_stream(std::span<const std::uint8_t> bytes);
    /// In display order.
    void push_reconstruction(FramePtr frame);
    /// Call after the last byte and the last reconstruction. Throws RunError when the stream is not what it should be.
    void finish();
    double worst_psnr() const { return worst_psnr_; } ///< Of the pictures' planes.
    double total_psnr() const;                        ///< The worst plane's over all pictures.
    std::int64_t pictures() const { return compared_; }

  private:
    void compare_what_is_there();
    int width_, height_;
    std::deque<FramePtr> reconstructions_;
    std::deque<std::unique_ptr<Frame>> decoded_;
    std::unique_ptr<StreamDecoder> decoder_;
    SquaredErrors errors_;
    double worst_psnr_ = std::numeric_limits<double>::infinity();
    std::int64_t compared_ = 0;
};

} // namespace tandem
