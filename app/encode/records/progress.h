// SPDX-License-Identifier: BSD-2-Clause
// The line that moves while coding, on terminals only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "video/frame.h"

namespace tandem {

/// "0:12:34", rounded to seconds. A negative time, as of what goes on longer than was thought, is none.
std::string time_text(double seconds);

/// "12/100 frames, 25.0 fps, 800 kbit/s, 400 kB in the end, 0:00:04 left" after `seconds`; without what is not known,
/// and without a bit rate where there are no bytes.
std::string progress_text(std::int64_t pictures, std::optional<std::int64_t> total, std::uint64_t bytes,
                          Rational frame_rate, double seconds);

class Progress {
  public:
    /// `label` stands before each line, as "pass 1 of 2: ".
    Progress(bool shown, std::optional<std::int64_t> total, Rational frame_rate, std::string label = {});
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Draws at most five times a second.
    void update(std::int64_t pictures, std::uint64_t bytes);

  private:
    using Clock = std::chrono::steady_clock;
    bool shown_;
    std::optional<std::int64_t> total_;
    Rational frame_rate_;
    std::string label_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_;
};

} // namespace tandem
