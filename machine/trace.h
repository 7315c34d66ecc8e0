// SPDX-License-Identifier: BSD-2-Clause
// Spans of work for Chrome's trace viewer (chrome://tracing, Perfetto). Recording is off unless a Trace is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

/// Collects spans from any thread; its one lock is held only to append. Times are microseconds since construction.
///
///     const auto begin = Trace::Clock::now();
///     search();
///     trace.add("motion", "motion cpu", picture, begin, Trace::Clock::now());
class Trace {
  public:
    using Clock = std::chrono::steady_clock;
    struct Span {
        std::string name;         ///< What ran: "motion", "decide", "residual", "entropy".
        std::string thread;       ///< The row it is drawn in: "coding", "motion cpu".
        std::int64_t picture = 0; ///< Display number.
        std::int64_t begin_us = 0, end_us = 0;
    };
    /// A span for which there is no memory is left out, so that destructors may call it.
    void add(std::string_view name, std::string_view thread, std::int64_t picture, Clock::time_point begin,
             Clock::time_point end) noexcept;
    /// A copy of what was recorded so far, in the order of add().
    std::vector<Span> spans() const;
    /// The trace event format as a JSON object with complete ("X") events and thread names.
    std::string to_json() const;

  private:
    mutable std::mutex mutex_;
    std::vector<Span> spans_;
    Clock::time_point start_ = Clock::now();
};

} // namespace tandem
