// SPDX-License-Identifier: BSD-2-Clause
// The asynchronous face of motion estimation: requests go in, futures come out, backends work beside the caller.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "me/estimator.h"
#include "video/trace.h"

namespace tandem {

/// What a future holds: the field, and who made it when.
struct MotionResult {
    MotionField field;
    std::string backend;
    std::chrono::microseconds duration{}; ///< Spent in the estimator that answered.
};

struct CoprocessorOptions {
    std::size_t queue_capacity = 32; ///< submit() blocks while this many requests wait. At least 1.
    std::function<void(const std::string&)> on_warning = {}; ///< Called once per retired backend, from its worker
                                                             ///< thread; must not throw.
    Trace* trace = nullptr; ///< Spans "motion" per request; not owned, outlives the coprocessor.
};

/// Owns its backends, one worker thread each, and a bounded queue that they share; a request goes to the first idle
/// backend that supports it. A backend that throws anything but InputError is retired with one warning and
/// its request runs again on another, in the end on the fallback; so a failing device never changes the results.
/// All public functions are thread-safe.
class Coprocessor {
  public:
    /// `backends` in order of preference, possibly empty; `fallback` (the CPU) runs what no backend takes and
    /// what a retired backend left. The fallback alone is a complete coprocessor.
    Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                CoprocessorOptions options = {});
    /// Runs no further requests; their futures get a RunError. Joins the workers.
    ~Coprocessor();
    Coprocessor(const Coprocessor&) = delete;
    Coprocessor& operator=(const Coprocessor&) = delete;

    /// Blocks while the queue is full. Throws InputError for parameters that no backend supports. `picture` labels the
    /// request in traces (its display number).
    std::future<MotionResult> submit(MotionRequest request, std::int64_t picture = 0);

    /// Names of the backends still at work, the fallback last.
    std::vector<std::string> backend_names() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tandem
