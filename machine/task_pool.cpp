// SPDX-License-Identifier: BSD-2-Clause
// One lock for each queue and each progress; neither is held while a task or a body runs. Invariant of RowProgress:
// what waits, waits for a row at or below from_top_.
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
    std::mutex mutex;
    std::condition_variable changed;
    std::multimap<std::int64_t, Body> waiting;            ///< By rank; equals in the order of their coming.
    std::atomic<std::int64_t> most_urgent{nothing_waits}; ///< The rank of the first that waits.
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

    void work(int number) {
        number_in_pool = number;
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return stopping || !waiting.empty(); });
            if (stopping) return;
            const auto first = waiting.extract(waiting.begin());
            note_most_urgent();
            lock.unlock();
            first.mapped()();
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
    {
        const std::lock_guard lock(state_->mutex);
        state_->waiting.emplace(rank, std::move(body));
        state_->note_most_urgent();
    }
    state_->changed.notify_one();
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
