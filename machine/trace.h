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

/// Collects spans from any thread; its one lock is held only to append and to take. Times are microseconds since
/// construction. Whoever writes them takes them as they come, so that a long run needs no more memory than a short one.
///
///     const auto begin = Trace::Clock::now();
///     search();
///     trace.add("motion", "motion cpu", picture, begin, Trace::Clock::now());
///     file.write(trace.take()); // now and then
///     file.write(trace.end());
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
    /// A copy of what was recorded and not taken yet, in the order of add().
    std::vector<Span> spans() const;
    /// The next part of a JSON object in the trace event format, with complete ("X") events and thread names: of all
    /// that was recorded since the last part. It is forgotten here. One caller at a time.
    std::string take();
    /// The last part.
    std::string end();

  private:
    mutable std::mutex mutex_;
    std::vector<Span> spans_;
    Clock::time_point start_ = Clock::now();
    // Of the parts that were taken; their one caller's.
    std::vector<std::string> threads_; ///< A thread's number is its place in order of first use.
    bool began_ = false, has_events_ = false;
};

/// A span from its construction to its end. The trace, which may be null, and the names outlive it.
class TraceSpan {
  public:
    TraceSpan(Trace* trace, std::string_view name, std::string_view thread, std::int64_t picture)
        : trace_(trace), name_(name), thread_(thread), picture_(picture) {}
    ~TraceSpan() {
        if (trace_ != nullptr) trace_->add(name_, thread_, picture_, begin_, Trace::Clock::now());
    }
    TraceSpan(const TraceSpan&) = delete;
    TraceSpan& operator=(const TraceSpan&) = delete;

  private:
    Trace* const trace_;
    const std::string_view name_, thread_;
    const std::int64_t picture_;
    const Trace::Clock::time_point begin_ = Trace::Clock::now();
};

} // namespace tandem
