// SPDX-License-Identifier: BSD-2-Clause
// A fixed set of threads that share the items of a loop.
// Our own hundred lines and not oneTBB: the tsan preset must see every synchronisation, and Debian's TBB is not
// instrumented.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tandem {

class TaskPool;

/// Invariant: at most one for_each() runs at a time on the threads of one Workers; a second caller waits its turn.
/// Those on a pool run beside each other.
///
///     Workers workers(threads_or_all(0));
///     workers.for_each(rows, [&](int row, int) { filter(row); });
class Workers {
  public:
    /// `threads` >= 1 counts the calling thread, so Workers(1) starts none. RunError where the machine gives no more.
    explicit Workers(int threads);
    /// Has no threads of its own: items are tasks of the pool, which outlives it, at a rank of it. The calling thread,
    /// which is none of the pool's, runs a single item itself and else only waits.
    Workers(TaskPool& pool, std::int64_t rank);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const;
    /// Whether items are tasks of a pool.
    bool are_of_a_pool() const;

    /// Runs body(item, thread) for every item in 0..count-1, each once, items taken in rising order; `thread` is
    /// 0..threads()-1. Returns when all are done. The first exception thrown by a body is thrown again here
    /// after all running bodies have ended; items not begun by then are not run. A body must not call it.
    void for_each(int count, const std::function<void(int item, int thread)>& body);
    /// Runs body() on one thread, a pool's where they are of one, else the caller's. Returns when it has ended, or
    /// throws what it threw.
    void run(const std::function<void()>& body);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Calls body(first, end) for bands of the rows 0..rows-1, which the workers share; null: the caller takes all at once.
/// `samples` are written or read for each row, at least 1: bands have so many of them that they are worth waking a
/// thread.
void for_bands(Workers* workers, int rows, int samples, const std::function<void(int first, int end)>& body);

} // namespace tandem
