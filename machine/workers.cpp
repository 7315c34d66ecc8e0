// SPDX-License-Identifier: BSD-2-Clause
// Lock order: caller_mutex before mutex. Invariants: `generation` rises by one per for_each(); a worker enters a
// generation at most once, and only while it is `open`; `running` counts those that are in it; `body` and `count` are
// valid while it is open or running > 0. So a loop that is over before a worker is awake does not wait for it.
#include "machine/workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "machine/long_work.h"
#include "machine/task_pool.h"
#include "machine/threads.h"

namespace tandem {

namespace {

/// A loop whose items are run by tasks of a pool. A runner takes one item after the other; when a more urgent task
/// waits it queues itself again, so that the task need not wait for the loop. Invariant: the loop ends when no runner
/// is left, of which each ends when there are no items left.
class PooledLoop {
  public:
    PooledLoop(TaskPool& pool, std::int64_t rank, int count, const std::function<void(int, int)>& body)
        : pool_(pool), rank_(rank), count_(count), body_(body), runners_(std::min(count, pool.threads())) {}

    void run() {
        const int runners = runners_;
        for (int runner = 0; runner < runners; ++runner)
            pool_.run(rank_, [this, runner] { take_items(runner); });
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [&] { return runners_ == 0; });
        if (error_) std::rethrow_exception(error_);
    }

  private:
    void take_items(int runner) {
        for (int item = next_.fetch_add(1); item < count_; item = next_.fetch_add(1)) {
            attempt(item, runner);
            if (pool_.has_more_urgent_than(rank_)) return pool_.run(rank_, [this, runner] { take_items(runner); });
        }
        const std::lock_guard lock(mutex_);
        if (--runners_ == 0) ended_.notify_one();
    }

    void attempt(int item, int runner) {
        try {
            work_.end_if_told();
            body_(item, runner);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
            next_.store(count_);
        }
    }

    const LongWork work_;
    TaskPool& pool_;
    const std::int64_t rank_;
    const int count_;
    const std::function<void(int, int)>& body_;
    std::atomic<int> next_{0};
    std::mutex mutex_;
    std::condition_variable ended_;
    int runners_;
    std::exception_ptr error_;
};

} // namespace

struct Workers::State {
    TaskPool* pool = nullptr; ///< Whose threads run the items; null: those below.
    std::int64_t rank = 0;
    std::mutex caller_mutex;
    std::mutex mutex;
    std::condition_variable begin, end;
    std::uint64_t generation = 0;
    int running = 0;
    bool open = false;
    bool stopping = false;
    const std::function<void(int, int)>* body = nullptr;
    int count = 0;
    LongWork long_work; ///< The loop.
    std::atomic<int> next{0};
    std::exception_ptr error;
    std::vector<std::thread> threads;

    ~State() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        begin.notify_all();
        for (std::thread& thread : threads)
            thread.join();
    }

    void take_items(int thread) {
        for (int item = next.fetch_add(1); item < count; item = next.fetch_add(1)) {
            try {
                long_work.end_if_told();
                (*body)(item, thread);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!error) error = std::current_exception();
                next.store(count);
            }
        }
    }

    void work(int thread) {
        std::uint64_t seen = 0;
        while (true) {
            {
                std::unique_lock lock(mutex);
                begin.wait(lock, [&] { return stopping || (open && generation != seen); });
                if (stopping) return;
                seen = generation;
                ++running;
            }
            take_items(thread);
            const std::lock_guard lock(mutex);
            if (--running == 0) end.notify_one();
        }
    }
};

Workers::Workers(int threads) : state_(std::make_unique<State>()) {
    if (threads < 1) throw std::invalid_argument(std::to_string(threads) + " threads; at least 1 is needed");
    state_->threads.reserve(static_cast<std::size_t>(threads) - 1); // A thread that runs needs its place.
    for (int i = 1; i < threads; ++i)
        state_->threads.push_back(start_thread("thread " + std::to_string(i + 1) + " of " + std::to_string(threads),
                                               [state = state_.get(), i] { state->work(i); }));
}

Workers::Workers(TaskPool& pool, std::int64_t rank) : state_(std::make_unique<State>()) {
    state_->pool = &pool;
    state_->rank = rank;
}

Workers::~Workers() = default;

int Workers::threads() const {
    return state_->pool != nullptr ? state_->pool->threads() : static_cast<int>(state_->threads.size()) + 1;
}

bool Workers::are_of_a_pool() const { return state_->pool != nullptr; }

void Workers::for_each(int count, const std::function<void(int, int)>& body) {
    if (count <= 0) return;
    State& state = *state_;
    if (state.pool != nullptr && count > 1) return PooledLoop(*state.pool, state.rank, count, body).run();
    std::unique_lock caller(state.caller_mutex, std::defer_lock);
    if (state.pool == nullptr) caller.lock();
    if (state.threads.empty() || count == 1) {
        const LongWork work;
        for (int item = 0; item < count; ++item) {
            work.end_if_told();
            body(item, 0);
        }
        return;
    }
    {
        const std::lock_guard lock(state.mutex);
        state.body = &body;
        state.count = count;
        state.long_work = {};
        state.next.store(0);
        state.error = nullptr;
        ++state.generation;
        state.open = true;
    }
    state.begin.notify_all();
    state.take_items(0);
    std::unique_lock lock(state.mutex);
    state.open = false;
    state.end.wait(lock, [&] { return state.running == 0; });
    if (state.error) std::rethrow_exception(state.error);
}

void Workers::run(const std::function<void()>& body) {
    const std::function<void(int, int)> item = [&](int, int) { body(); };
    if (state_->pool == nullptr) return for_each(1, item);
    PooledLoop(*state_->pool, state_->rank, 1, item).run();
}

void for_bands(Workers* workers, int rows, int samples, const std::function<void(int, int)>& body) {
    constexpr int samples_of_a_band = 1 << 17, least_rows = 16;
    const int rows_of_a_band = std::max(samples_of_a_band / samples, least_rows);
    if (workers == nullptr) return body(0, rows);
    workers->for_each((rows + rows_of_a_band - 1) / rows_of_a_band,
                      [&](int band, int) { body(band * rows_of_a_band, std::min((band + 1) * rows_of_a_band, rows)); });
}

} // namespace tandem
