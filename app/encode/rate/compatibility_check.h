// SPDX-License-Identifier: BSD-2-Clause
// Whether a stream that was made for a standard keeps its limits: read from its bytes as they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "encoder/mpeg/compatibility.h"
#include "encoder/rate/vbv.h"
#include "video/frame.h"

namespace tandem {

/// What the headers of one coded picture say.
struct PictureHeaders {
    std::optional<MpegSequence> sequence; ///< Where a sequence header stands before it.
    int type = 0;                         ///< picture_coding_type: 1 I, 2 P, 3 B.
    int vbv_delay = 0;
    int horizontal_f_code = 0; ///< The larger of forward and backward; 0: the picture has no vectors.
    int vertical_f_code = 0;   ///< MPEG-1 has one for both.
    bool full_pel = false;     ///< MPEG-1: vectors count in whole samples, and reach twice as far.
};

/// Headers of 11172-2 or 13818-2 as written; what is not there stays 0. Never reads beyond the bytes.
PictureHeaders read_picture_headers(std::span<const std::uint8_t> bytes);

/// Throws RunError, which names the picture, what it breaks and the limit.
class CompatibilityCheck {
  public:
    /// `row` outlives it.
    CompatibilityCheck(const CompatibilityRow& row, Rational frame_rate, double first_fullness);
    /// The next picture in coding order.
    void add(std::span<const std::uint8_t> bytes, std::int64_t display_index);

  private:
    void begin(const MpegSequence& sequence, int vbv_delay, std::int64_t display_index);
    void check_vectors(const PictureHeaders& headers, std::int64_t display_index) const;
    void check_delay(const PictureHeaders& headers, std::int64_t display_index) const;
    [[noreturn]] void fail(std::int64_t display_index, const std::string& problem) const;
    void count_group(const PictureHeaders& headers, std::int64_t display_index);

    const CompatibilityRow& row_;
    Rational frame_rate_;
    double first_fullness_; ///< The part of the buffer that is full at first.
    std::optional<Vbv> buffer_;
    int most_in_group_ = 0, in_group_ = 0;
};

} // namespace tandem
