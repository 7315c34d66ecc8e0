// SPDX-License-Identifier: BSD-2-Clause
// One mutex, State::mutex, guards everything but what a worker holds of its own job; no lock is taken under it, and
// neither an estimator, a promise, a callback nor the trace is called with it held. Invariants:
// - A job is in exactly one place: in `queue`, or with the one worker that runs it, or done (its promise is fulfilled).
// - `waiting` jobs count against the capacity; a job that came back from a failed backend stands in front and does not,
//   so no worker ever waits for room.
// - A worker only takes a job that its estimator supports, and leaves it to an idle one before it in the order of
//   preference. The fallback, last in that order, takes what no other live backend supports.
// - A retired backend never takes a job again; its thread ends. The fallback is never retired: what it cannot do fails.
// - Every change of `queue`, `stopping`, `idle` or `retired` is followed by a notification of `changed`.
#include "me/coprocessor.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "video/errors.h"

namespace tandem {

namespace {

constexpr const char* stopped = "motion estimation was stopped";

struct Job {
    MotionRequest request;
    std::int64_t picture = 0;
    std::vector<bool> supported; ///< By backend.
    bool returned = false;       ///< Came back from a backend that failed.
    std::promise<MotionResult> promise;
};

struct Backend {
    std::unique_ptr<Estimator> estimator;
    std::string name;
    bool idle = true; ///< Waits for work, or its thread has not begun yet.
    bool retired = false;
};

void fail(Job& job, const std::string& reason) { job.promise.set_exception(std::make_exception_ptr(RunError(reason))); }

std::string reason_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

} // namespace

struct Coprocessor::State {
    CoprocessorOptions options;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::deque<Job> queue;
    std::size_t waiting = 0;
    bool stopping = false;
    std::vector<Backend> backends; ///< The fallback is the last. The vector itself never changes.
    std::vector<std::thread> threads;

    ~State() { stop(); }

    void stop();
    void work(std::size_t self);
    bool may_take(std::size_t self, const Job& job) const;
    std::deque<Job>::iterator find_job(std::size_t self);
    std::optional<Job> take(std::size_t self);
    void run(std::size_t self, Job& job);
    bool retire(std::size_t self, Job& job, const std::string& reason);
};

/// With the mutex held.
bool Coprocessor::State::may_take(std::size_t self, const Job& job) const {
    const bool is_fallback = self + 1 == backends.size();
    if (!is_fallback && !job.supported[self]) return false;
    for (std::size_t other = 0; other < self; ++other) {
        if (backends[other].retired || !job.supported[other]) continue;
        if (is_fallback || backends[other].idle) return false;
    }
    return true;
}

/// With the mutex held.
std::deque<Job>::iterator Coprocessor::State::find_job(std::size_t self) {
    auto job = queue.begin();
    while (job != queue.end() && !may_take(self, *job))
        ++job;
    return job;
}

/// Waits for a job that this worker may run; nothing when it is time to end.
std::optional<Job> Coprocessor::State::take(std::size_t self) {
    std::unique_lock lock(mutex);
    backends[self].idle = true;
    changed.notify_all();
    auto found = queue.end();
    changed.wait(lock, [&] { return stopping || (found = find_job(self)) != queue.end(); });
    backends[self].idle = false;
    if (stopping) return std::nullopt;
    std::optional<Job> job(std::move(*found));
    queue.erase(found);
    if (!job->returned) --waiting;
    changed.notify_all();
    return job;
}

void Coprocessor::State::run(std::size_t self, Job& job) {
    const Backend& backend = backends[self];
    const auto begin = Trace::Clock::now();
    MotionField field = backend.estimator->estimate(job.request);
    const auto end = Trace::Clock::now();
    if (options.trace) options.trace->add("motion", "motion " + backend.name, job.picture, begin, end);
    job.promise.set_value(
        {std::move(field), backend.name, std::chrono::duration_cast<std::chrono::microseconds>(end - begin)});
}

/// Takes this worker out of service and gives its job back for another one; false when it is too late for that.
bool Coprocessor::State::retire(std::size_t self, Job& job, const std::string& reason) {
    if (options.on_warning) {
        options.on_warning(backends[self].name + " failed (" + reason + "); motion estimation goes on without it");
    }
    const std::lock_guard lock(mutex);
    backends[self].retired = true;
    changed.notify_all();
    if (stopping) return false;
    job.returned = true;
    queue.push_front(std::move(job));
    return true;
}

void Coprocessor::State::work(std::size_t self) {
    const bool is_fallback = self + 1 == backends.size();
    while (std::optional<Job> job = take(self)) {
        try {
            run(self, *job);
        } catch (const InputError&) {
            job->promise.set_exception(std::current_exception());
        } catch (...) {
            if (is_fallback) {
                job->promise.set_exception(std::current_exception());
                continue;
            }
            if (!retire(self, *job, reason_of(std::current_exception()))) fail(*job, stopped);
            return;
        }
    }
}

void Coprocessor::State::stop() {
    std::deque<Job> left;
    {
        const std::lock_guard lock(mutex);
        stopping = true;
        left.swap(queue);
        waiting = 0;
    }
    changed.notify_all();
    for (Job& job : left)
        fail(job, stopped);
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
}

Coprocessor::Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                         CoprocessorOptions options)
    : state_(std::make_unique<State>()) {
    if (!fallback) throw std::invalid_argument("a coprocessor without a fallback");
    if (options.queue_capacity < 1) throw std::invalid_argument("a coprocessor whose queue has no room");
    state_->options = std::move(options);
    backends.push_back(std::move(fallback));
    for (std::unique_ptr<Estimator>& estimator : backends) {
        std::string name = estimator->name();
        state_->backends.push_back({std::move(estimator), std::move(name)});
    }
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        state_->threads.emplace_back([state = state_.get(), i] { state->work(i); });
    }
}

Coprocessor::~Coprocessor() = default;

std::future<MotionResult> Coprocessor::submit(MotionRequest request, std::int64_t picture) {
    State& state = *state_;
    Job job;
    for (const Backend& backend : state.backends)
        job.supported.push_back(backend.estimator->supports(request.params));
    if (std::find(job.supported.begin(), job.supported.end(), true) == job.supported.end()) {
        const auto problems = request.params.validate();
        throw InputError("no backend runs this motion search" + (problems.empty() ? "" : ": " + problems.front()));
    }
    job.request = std::move(request);
    job.picture = picture;
    std::future<MotionResult> future = job.promise.get_future();
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&] { return state.stopping || state.waiting < state.options.queue_capacity; });
    if (state.stopping) throw RunError(stopped);
    state.queue.push_back(std::move(job));
    ++state.waiting;
    state.changed.notify_all();
    return future;
}

std::vector<std::string> Coprocessor::backend_names() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string> names;
    for (const Backend& backend : state_->backends) {
        if (!backend.retired) names.push_back(backend.name);
    }
    return names;
}

} // namespace tandem
