// SPDX-License-Identifier: BSD-2-Clause
// From a decoded AVFrame of any kind to our 8-bit 4:2:0, by libswscale.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "video/frame.h"
#include "video/libav/libav_handles.h"

namespace tandem {

/// The colour description of a frame, as far as ISO/IEC 13818-2 can say it; what it reserves becomes "unspecified".
/// RGB gets the matrix that LibavConverter uses for it.
ColourDescription colour_of(const AVFrame& frame);
/// What colour_of() leaves unspecified although the frame says it ("primaries bt2020"); empty: nothing.
std::string colours_without_code(const AVFrame& frame);

/// Converts the frames of one video; each is converted by its own properties, so a change in mid-stream is followed.
class LibavConverter {
  public:
    /// Luma of 0 to 255 (RGB is that, too) stays so, or becomes 16 to 235. `declared`: it is taken for 0 to 255 (true)
    /// or 16 to 235, whatever the frame says, and stays so; RGB becomes that.
    explicit LibavConverter(bool keep_full_range, std::optional<bool> declared = std::nullopt)
        : keep_full_range_(keep_full_range), declared_(declared) {}
    /// Throws RunError when libswscale cannot convert from this format.
    std::unique_ptr<Frame> convert(const AVFrame& from);
    /// Whether what convert() gives has luma of 0 to 255.
    bool gives_full_range(const AVFrame& from) const;
    /// What convert() does to such a frame ("converted from yuv444p10le"); empty when samples are only copied.
    std::string note(const AVFrame& from) const;

  private:
    std::unique_ptr<Frame> convert_by_library(const AVFrame& from);
    bool is_plain_copy(const AVFrame& from) const;
    bool is_full(const AVFrame& from) const;
    void prepare(const AVFrame& from);

    bool keep_full_range_;
    std::optional<bool> declared_;
    Libav<SwsContext> scaler_;
    int format_ = -1, width_ = 0, height_ = 0, matrix_ = 0; ///< What scaler_ was made for.
    bool full_range_ = false;
};

} // namespace tandem
