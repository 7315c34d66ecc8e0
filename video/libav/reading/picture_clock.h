// SPDX-License-Identifier: BSD-2-Clause
// When the pictures of a file are shown.
#pragma once

#include <optional>

#include "video/libav/libav_handles.h"
#include "video/source.h"

namespace tandem {

/// Turns time stamps into seconds since the first picture. Not thread-safe.
class PictureClock {
  public:
    PictureClock(const AVFormatContext& file, const AVStream& stream);
    /// By the frame's `pts`, of the next picture; nothing where the file has no times (an elementary stream). A leap of
    /// a transport or program stream's clock is none of the pictures'.
    std::optional<PictureTime> time_of(const AVFrame& frame, AVRational time_base);
    /// The first picture's time as the file counts it, in seconds; nothing before it, or where there are no times.
    std::optional<double> beginning() const { return beginning_; }

  private:
    bool has_times_, may_leap_;
    AVRational stream_time_base_;
    std::optional<double> beginning_;
    double leaps_ = 0;                    ///< Seconds that the clock went ahead of the pictures.
    double last_ = 0, last_duration_ = 0; ///< Seconds since the beginning, leaps taken off.
};

} // namespace tandem
