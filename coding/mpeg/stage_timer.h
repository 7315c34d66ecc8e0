// SPDX-License-Identifier: BSD-2-Clause
// How long the tasks of a picture take.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "machine/task_pool.h"
#include "machine/trace.h"

namespace tandem {

/// Adds the time that it lives to that of a stage, in nanoseconds, and to the trace, where there is one, as a span of
/// the thread.
class StageTimer {
  public:
    StageTimer(const char* stage, std::atomic<std::int64_t>& nanoseconds, Trace* trace, std::int64_t picture)
        : stage_(stage), nanoseconds_(nanoseconds), trace_(trace), picture_(picture) {}
    ~StageTimer() {
        const auto end = Trace::Clock::now();
        nanoseconds_ += std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin_).count();
        if (trace_ != nullptr)
            trace_->add(stage_, "coding " + std::to_string(TaskPool::number_of_this_thread()), picture_, begin_, end);
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

  private:
    const char* stage_;
    std::atomic<std::int64_t>& nanoseconds_;
    Trace* trace_;
    std::int64_t picture_;
    Trace::Clock::time_point begin_ = Trace::Clock::now();
};

} // namespace tandem
