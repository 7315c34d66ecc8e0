// SPDX-License-Identifier: BSD-2-Clause
// The asynchronous face of motion estimation: requests go in, futures come out, backends work beside the caller.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "machine/threads.h"
#include "me/coprocessor/coprocessor_options.h"
#include "me/coprocessor/motion_result.h"
#include "me/estimator.h"

namespace tandem {

struct CoprocessorState;

/// Owns its backends, as many worker threads for each as its concurrency() says, and a bounded queue that they share; a
/// request goes to the idle backend that has least to do, and with it its share of those alike that wait, where that is
/// faster (Estimator::most_at_once()). A backend that throws anything but InputError is retired with one warning and
/// its requests run again on another, in the end on the fallback; so a failing device never changes the results. All
/// public functions are thread-safe.
///
///     Coprocessor motion(make_gpu_estimators(nullptr), make_cpu_estimator(threads_or_all(0)));
///     std::future<MotionResult> answer = motion.submit({picture, before, params});
///     ...                                                   // The caller does something else.
///     const MotionField field = answer.get().field;
class Coprocessor {
  public:
    /// `backends` in order of preference, possibly empty; `fallback` (the CPU) runs what no backend takes and what a
    /// retired backend left. The fallback alone is a complete coprocessor. Without one (null) the backend that is left
    /// when all others are retired stays in service: what it cannot do fails with its error. Throws
    /// std::invalid_argument where there is neither.
    Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                CoprocessorOptions options = {});
    /// Runs no further requests; their futures get a RunError. Joins the workers.
    ~Coprocessor();
    Coprocessor(const Coprocessor&) = delete;
    Coprocessor& operator=(const Coprocessor&) = delete;

    /// Gets all backends ready for such requests (Estimator::prepare()) before the first of them comes. A backend that
    /// fails at it is retired with its warning; what stays in service whatever it does fails at its first request.
    void prepare(const SearchParams& params, int width, int height);

    /// Takes one more backend into service, prepared as the others were: after those that are there in the order of
    /// preference, but before the fallback. Requests that wait may go to it. One that fails at its preparation is left
    /// out with a warning. Several threads may not add at a time. Throws std::invalid_argument where it is null.
    void add(std::unique_ptr<Estimator> backend);

    /// Whether a backend that is still at work supports the parameters.
    bool supports(const SearchParams& params) const;

    /// Blocks while the queue is full. Throws InputError for parameters that no backend supports. `picture` labels the
    /// request in traces (its display number).
    std::future<MotionResult> submit(MotionRequest request, std::int64_t picture = 0);

    /// The same for several at once, which no backend begins before all are queued: those that are alike() go together
    /// to a backend that gains by it. `first_picture` labels the first of them, the next number the next. Throws for
    /// all where one is wrong.
    std::vector<std::future<MotionResult>> submit_batch(std::vector<MotionRequest> requests,
                                                        std::int64_t first_picture = 0);

    /// How many backends other than the fallback are still at work.
    int helpers() const;

    /// Names of the backends still at work, the fallback last.
    std::vector<std::string> backend_names() const;

  private:
    std::unique_ptr<CoprocessorState> state_;
};

} // namespace tandem
