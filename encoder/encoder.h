// SPDX-License-Identifier: BSD-2-Clause
// Pictures in, packets out.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "encoder/settings.h"
#include "machine/trace.h"
#include "me/coprocessor/coprocessor.h"
#include "video/quality/quality.h"

namespace tandem {

/// What is known of one coded picture. Times are of the encoder's stages, in microseconds of wall clock.
struct PictureStats {
    std::int64_t display_index = 0;
    std::int64_t coding_index = 0;
    PictureType type = PictureType::intra;
    int qp = 0;
    std::uint64_t bytes = 0; ///< With the headers before it.
    int intra = 0, forward = 0, backward = 0, both = 0,
        skipped = 0;            ///< Macroblocks; the first four without the skipped ones.
    int zero_motion = 0;        ///< Of the coded, predicted ones: with zero vectors.
    double mean_mv = 0;         ///< Mean vector length in pels over predicted macroblocks' vectors.
    std::int64_t motion_us = 0; ///< In the estimators (beside the coding).
    std::int64_t wait_us = 0;   ///< The coding thread waited for motion.
    std::int64_t refine_us = 0, decide_us = 0, residual_us = 0, entropy_us = 0;
    std::string backend; ///< Who searched; empty for I pictures.
};

struct EncodedPicture {
    std::span<const std::uint8_t> bytes; ///< Valid during the callback.
    bool key = false;
    PictureStats stats;
    FramePtr source;         ///< At coded size (multiples of 16).
    FramePtr reconstruction; ///< At coded size.
};

/// Not thread-safe; uses its own threads inside. The stream depends on the settings, the format and the pictures alone.
class Encoder {
  public:
    /// Called in coding order, from inside push() and finish().
    using Output = std::function<void(const EncodedPicture&)>;

    /// `motion` and `trace` (may be null) are not owned and outlive the encoder. Throws InputError listing every
    /// problem that Settings::validate() finds.
    Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, Output output,
            Trace* trace = nullptr);
    ~Encoder();

    /// The next picture in display order, of the format's size (copied).
    void push(const Frame& picture);
    /// Codes what is left; no push() after it. Returns the bytes that end the stream.
    std::vector<std::uint8_t> finish();
    /// The sequence header's values as they are written.
    const MpegSequence& sequence() const;
    /// What a user should know of the stream ("no level of Main Profile holds ..."): sentences, perhaps none.
    const std::vector<std::string>& notes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tandem
