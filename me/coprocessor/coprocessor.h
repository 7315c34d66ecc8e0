// SPDX-License-Identifier: BSD-2-Clause
// The asynchronous face of motion estimation: requests go in, futures come out, backends work beside the caller.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/trace.h"
#include "me/estimator.h"

namespace tandem {

/// Stands between the names of several backends.
inline constexpr std::string_view backend_separator = " + ";

/// Adds those of the names in `more` that `names` does not have yet.
void add_backends(std::string& names, std::string_view more);

/// What a future holds: the field, and who made it when.
struct MotionResult {
    MotionField field;
    std::string backend; ///< Of a request that was cut, all that had a part: "gpu:0 NAME + gpu:1 NAME".
    std::chrono::microseconds duration{}; ///< Spent in the estimators that answered, one after the other;
    ///< an even part of what requests took that were searched together.
};

/// Block rows first_row..end_row-1 of a request, and the answer to come, whose field has these rows filled.
struct MotionBand {
    int first_row = 0, end_row = 0;
    std::future<MotionResult> result;
};

/// How the work is shared by several backends. The fields are the same.
enum class Split : std::uint8_t {
    automatic, ///< Bands while fewer requests are under way than there are backends, else pictures.
    pictures,  ///< A request goes to one backend (serial splitting).
    bands,     ///< Each request is cut into one band of block rows a backend (parallel splitting).
};

struct CoprocessorOptions {
    std::size_t queue_capacity = 32; ///< submit() blocks while this many requests or bands wait. At least 1.
    Split split = Split::automatic;
    bool fallback_shares = false; ///< The fallback also takes requests that others could run, by measured speed: those
                                  ///< that it is expected to finish before the others would.
    std::function<void(const std::string&)> on_warning = {}; ///< Called once per retired backend, from a worker
                                                             ///< thread; must not throw.
    /// Looks at each field that a backend other than the fallback made, before it is given out. Called from several
    /// threads; what it throws is what the request's future gets. The request is the band that was run.
    std::function<void(const MotionRequest&, std::int64_t picture, const MotionField&, const std::string& backend)>
        audit = {};
    Trace* trace = nullptr; ///< Spans "motion" per request or band; not owned, outlives the coprocessor.
};

/// Owns its backends, as many worker threads for each as its concurrency() says, and a bounded queue that they share; a
/// request goes to the idle backend that has least to do, and with it its share of those alike that wait, where that is
/// faster (Estimator::most_at_once()). A backend that throws anything but InputError is retired with
/// one warning and its requests run again on another, in the end on the fallback; so a failing device never changes
/// the results. All public functions are thread-safe.
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

    /// Gets all backends ready for such requests (Estimator::prepare()) before the first of them comes. A backend that
    /// fails at it is retired with its warning.
    void prepare(const SearchParams& params, int width, int height);

    /// Blocks while the queue is full. Throws InputError for parameters that no backend supports. `picture` labels the
    /// request in traces (its display number).
    std::future<MotionResult> submit(MotionRequest request, std::int64_t picture = 0);

    /// The same in `bands` parts from top to bottom, as even as rows of blocks allow (fewer where there are fewer
    /// rows); each can be taken while those below it are still searched.
    std::vector<MotionBand> submit_bands(const MotionRequest& request, int bands, std::int64_t picture = 0);

    /// Names of the backends still at work, the fallback last.
    std::vector<std::string> backend_names() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tandem
