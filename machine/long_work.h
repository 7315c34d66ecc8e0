// SPDX-License-Identifier: BSD-2-Clause
// Work that may take minutes ends soon after the process is told to stop.
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem {

/// `told_at` must live as long as the process: when it was told to stop, in nanoseconds of the monotonic clock; 0: it
/// was not.
void end_long_work_when(const std::atomic<std::int64_t>& told_at);

/// A piece of work that may take long, such as a search; made when it begins.
class LongWork {
  public:
    LongWork();
    /// Between its parts, from any thread. Throws Interrupted where the work has gone on for a second since the process
    /// was told to stop: what is short is still done.
    void end_if_told() const;

  private:
    std::int64_t begun_at_;
};

} // namespace tandem
