// SPDX-License-Identifier: BSD-2-Clause
// Threads that run tasks, the most urgent first, and two ways for a task to wait without holding a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tandem {

/// A fixed set of threads and a queue of tasks that they share.
///
///     TaskPool pool(4);
///     pool.run(0, [] { puts("soon"); });
///
/// All functions may be called from any thread, from tasks too.
class TaskPool {
  public:
    using Body = std::function<void()>;

    /// Starts `threads` >= 1 threads. RunError where the machine gives no more.
    explicit TaskPool(int threads);
    /// Waits for the tasks that run. Those that have not begun are dropped.
    ~TaskPool();
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    int threads() const;
    /// The number of the calling thread in its pool, from 0 on; -1: it is no pool's.
    static int number_of_this_thread();

    /// Runs `body` once on one of the threads. Tasks of a lower rank go first; equals go in the order of their coming.
    /// A body throws nothing.
    void run(std::int64_t rank, Body body);
    /// Whether a task of a lower rank waits for a thread: what can be interrupted makes room for it. May be late by a
    /// task or two.
    bool has_more_urgent_than(std::int64_t rank) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// How many rows of a picture, from the top down, are finished. Rows may be finished in any order, by any thread; tasks
/// can wait for them.
class RowProgress {
  public:
    using Body = std::function<void()>;

    explicit RowProgress(int rows) : finished_(static_cast<std::size_t>(rows), false) {}

    int rows() const { return static_cast<int>(finished_.size()); }
    /// Row `row` is finished. Calls what waited for it alone.
    void finish(int row);
    /// Calls `body` as soon as rows 0..row are finished: now, on this thread, if they are, and else from the finish()
    /// that makes it so. A row below 0 is always finished, one beyond the last means the last.
    void when_finished(int row, Body body);

  private:
    struct Waiting {
        int row;
        Body body;
    };
    std::mutex mutex_;
    std::vector<bool> finished_;
    int from_top_ = 0; ///< Rows 0..from_top_-1 are finished.
    std::vector<Waiting> waiting_;
};

} // namespace tandem
