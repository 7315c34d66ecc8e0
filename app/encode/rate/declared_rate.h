// SPDX-License-Identifier: BSD-2-Clause
// Whether a stream keeps what it says of its rate. A constant quantiser is not held to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "encoder/picture_coder.h"
#include "encoder/rate/vbv.h"
#include "video/frame.h"

namespace tandem {

/// The buffer of 13818-2 annex C.3.2 (for vbv_delay 0xFFFF): filled at the declared rate until it is full, full at the
/// beginning; each picture leaves it whole at its time.
class DeclaredRate {
  public:
    DeclaredRate(const StreamPromise& promise, Rational frame_rate);

    /// The next picture in coding order.
    void add(std::uint64_t bytes, std::int64_t display_index);

    /// How many pictures are not there at their time; empty where all are, or where the stream declares no rate.
    std::string warning() const;

  private:
    std::optional<Vbv> buffer_; ///< Nothing: the rate is variable.
    std::int64_t pictures_ = 0, late_ = 0, first_late_ = 0;
};

} // namespace tandem
