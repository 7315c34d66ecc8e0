// SPDX-License-Identifier: BSD-2-Clause
// One lock for each queue and each progress; neither is held while a task or a body runs. Invariant of RowProgress:
// what waits, waits for a row at or below from_top_. Invariant of TaskPool: where a task waits and a thread sleeps, a
// thread is on its way. It wakes the next one if there is more to do, so that small tasks, which those that are awake
// run sooner, wake nobody for nothing.
#include "machine/task_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "machine/threads.h"

namespace tandem {

namespace {

constexpr std::int64_t nothing_waits = std::numeric_limits<std::int64_t>::max();

thread_local int number_in_pool = -1;

} // namespace

struct TaskPool::State {
    using Waiting = std::multimap<std::int64_t, Body>;

    std::mutex mutex;
    std::condition_variable changed;
    Waiting waiting;                                      ///< By rank; equals in the order of their coming.
    std::atomic<std::int64_t> most_urgent{nothing_waits}; ///< The rank of the first that waits.
    int sleeping = 0;
    bool is_waking = false; ///< A thread has been woken and has not looked for a task yet.
    bool stopping = false;
    std::vector<std::thread> threads;

    ~State() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        changed.notify_all();
        for (std::thread& thread : threads)
            thread.join();
    }

    /// With the mutex held.
    void note_most_urgent() {
        most_urgent.store(waiting.empty() ? nothing_waits : waiting.begin()->first, std::memory_order_relaxed);
    }

    /// Whether a sleeping thread is to be woken, as the caller then does without the mutex. With the mutex held.
    bool is_to_be_woken() {
        if (is_waking || sleeping == 0 || waiting.empty()) return false;
        return is_waking = true;
    }

    void sleep(std::unique_lock<std::mutex>& lock) {
        ++sleeping;
        changed.wait(lock);
        --sleeping;
        is_waking = false;
    }

    void work(int number) {
        number_in_pool = number;
        std::unique_lock lock(mutex);
        while (true) {
            while (!stopping && waiting.empty())
                sleep(lock);
            if (stopping) return;
            auto first = waiting.extract(waiting.begin());
            note_most_urgent();
            const bool one_more = is_to_be_woken();
            lock.unlock();
            if (one_more) changed.notify_one();
            first.mapped()();
            first = {}; // Not with the mutex held: a body may be the last to hold a picture.
            lock.lock();
        }
    }
};

TaskPool::TaskPool(int threads) : state_(std::make_unique<State>()) {
    if (threads < 1) throw std::invalid_argument(std::to_string(threads) + " threads; at least 1 is needed");
    for (int i = 0; i < threads; ++i)
        state_->threads.push_back(start_thread("thread " + std::to_string(i + 1) + " of " + std::to_string(threads),
                                               [state = state_.get(), i] { state->work(i); }));
}

TaskPool::~TaskPool() = default;

int TaskPool::number_of_this_thread() { return number_in_pool; }

int TaskPool::threads() const { return static_cast<int>(state_->threads.size()); }

void TaskPool::run(std::int64_t rank, Body body) {
    State::Waiting one;
    one.emplace(rank, std::move(body));
    bool wakes = false;
    {
        const std::lock_guard lock(state_->mutex);
        state_->waiting.insert(one.extract(one.begin()));
        state_->note_most_urgent();
        wakes = state_->is_to_be_woken();
    }
    if (wakes) state_->changed.notify_one();
}

bool TaskPool::has_more_urgent_than(std::int64_t rank) const {
    return state_->most_urgent.load(std::memory_order_relaxed) < rank;
}

void RowProgress::finish(int row) {
    std::vector<Waiting> ready;
    {
        const std::lock_guard lock(mutex_);
        finished_[static_cast<std::size_t>(row)] = true;
        while (from_top_ < rows() && finished_[static_cast<std::size_t>(from_top_)])
            ++from_top_;
        const auto still = std::stable_partition(waiting_.begin(), waiting_.end(),
                                                 [&](const Waiting& w) { return w.row < from_top_; });
        ready.assign(std::move_iterator(waiting_.begin()), std::move_iterator(still));
        waiting_.erase(waiting_.begin(), still);
    }
    for (Waiting& waiting : ready)
        waiting.body();
}

void RowProgress::when_finished(int row, Body body) {
    const int last = std::min(row, rows() - 1);
    {
        const std::lock_guard lock(mutex_);
        if (last >= from_top_) {
            waiting_.push_back({last, std::move(body)});
            return;
        }
    }
    body();
}

} // namespace tandem
