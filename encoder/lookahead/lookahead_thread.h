// SPDX-License-Identifier: BSD-2-Clause
// A lookahead beside the coding of the pictures that came out of it before.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <vector>

#include "encoder/lookahead/lookahead.h"
#include "machine/task_pool.h"
#include "machine/trace.h"

namespace tandem {

/// A Lookahead in a thread of its own, for which a pool makes half pictures meanwhile. What a push gives back is what
/// came of the picture `pictures_behind` before, so that it depends on the pictures and their quantisers alone, and the
/// thread has so many pictures to work on while the caller codes. Not thread-safe.
class LookaheadThread {
  public:
    static constexpr std::size_t pictures_behind = 8;

    /// What Lookahead::expect() is to be told, if anything.
    using LikelyQuantiser = std::function<std::optional<double>()>;

    /// As Lookahead; the pool outlives it, too. `rank` is that of the pool's tasks. `likely_quantiser` is asked with
    /// each picture, by the caller's thread.
    LookaheadThread(const LookaheadSettings& settings, LikelyQuantiser likely_quantiser, Coprocessor& motion,
                    Workers& workers, const CodingDevices& devices, TaskPool& pool, std::int64_t rank, Trace* trace);
    /// Pictures that wait are dropped.
    ~LookaheadThread() = default;
    LookaheadThread(const LookaheadThread&) = delete;
    LookaheadThread& operator=(const LookaheadThread&) = delete;

    using Pictures = std::vector<TypedPicture>;

    /// As Lookahead::push(), whose exceptions come with the results that they belong to; nothing is to be called after
    /// one.
    Pictures push(FramePtr source);
    /// After the last push: calls `take` with all that is left, in parts.
    void finish(const std::function<void(Pictures)>& take);

  private:
    void begin(std::function<Pictures()> step);
    Pictures oldest();

    Lookahead lookahead_; ///< The thread's.
    const LikelyQuantiser likely_quantiser_;
    TaskPool& pool_;
    const std::int64_t rank_;
    Trace* const trace_;
    std::int64_t begun_ = 0;
    bool failed_ = false;                       ///< The thread's. A step threw: those after it do nothing.
    std::deque<std::future<Pictures>> results_; ///< Of steps under way, the oldest first.
    TaskPool thread_{1};                        ///< The last: its destructor waits for the steps.
};

} // namespace tandem
