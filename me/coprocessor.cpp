// SPDX-License-Identifier: BSD-2-Clause
// One mutex, State::mutex, guards everything but what a worker holds of its own job; no lock is taken under it, and
// neither an estimator, an answer, a callback nor the trace is called with it held. Invariants:
// - A job is in exactly one place: in `queue`, or with the one worker that runs it, or done (its answer has it). A
//   request that was cut is several jobs of one answer.
// - `waiting` jobs count against the capacity; a job that came back from a failed backend stands in front and does not,
//   so no worker ever waits for room. The bands of one request go in together.
// - A backend has as many workers ("lanes") as its estimator's concurrency(); `idle` of them wait for work, or have not
//   begun yet, or are on their way to wait. Jobs are taken in the order of the queue by the first who may.
// - A worker only takes a job that its estimator supports, and leaves it to an idle one whose backend runs fewer jobs,
//   or as many and is preferred: of those that could take a job, one always may.
// - The fallback, last in that order, takes what no other live backend supports; where it shares, also what it is
//   expected to finish before the others would. Another backend may always take what the fallback leaves.
// - A retired backend never takes a job again and its threads end; the first of its workers to fail retires it and
//   warns, the others give their jobs back without a word. The fallback is never retired: what it cannot do fails.
// - Every change that may let a waiting worker take a job or end (a job comes, or one goes while others stay; a
//   retirement; the stop) is followed by a notification of `work_changed`; `waiting` that falls, of `room_made`.
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

#include "me/motion_answer.h"
#include "video/errors.h"

namespace tandem {

namespace {

constexpr const char* stopped = "motion estimation was stopped";

struct Job {
    MotionRequest request;
    std::int64_t picture = 0;
    std::vector<bool> supported; ///< By backend.
    double work = 0;             ///< Samples to be searched for.
    bool returned = false;       ///< Came back from a backend that failed.
    std::shared_ptr<MotionAnswer> answer;
};

struct Backend {
    std::unique_ptr<Estimator> estimator;
    std::string name;
    int lanes = 1;
    int idle = 1;
    bool retired = false;
    double running = 0; ///< Work of the jobs under way.
    double pace = 0;    ///< Seconds that a lane takes for a unit of work, lately; 0: not known yet.

    int busy() const { return lanes - idle; }
};

double work_of(const MotionRequest& request) {
    const BlockRows rows = rows_of(request);
    if (!request.current || rows.end <= rows.first) return 1;
    return static_cast<double>(rows.end - rows.first) * request.params.block_height * request.current->width();
}

std::exception_ptr stop_error() { return std::make_exception_ptr(RunError(stopped)); }

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
    std::condition_variable work_changed, room_made;
    std::deque<Job> queue;
    std::size_t waiting = 0;
    bool stopping = false;
    std::vector<Backend> backends; ///< The fallback is the last. The vector itself never changes.
    std::vector<std::thread> threads;

    ~State() { stop(); }

    bool is_fallback(std::size_t index) const { return index + 1 == backends.size(); }
    void stop();
    void add_backend(std::unique_ptr<Estimator> estimator);
    void work(std::size_t self, int lane);
    bool is_left_to_another(std::size_t self, const Job& job) const;
    bool has_time_to_finish(std::size_t self, const Job& job, double backlog) const;
    bool may_take(std::size_t self, const Job& job, double backlog) const;
    std::deque<Job>::iterator find_job(std::size_t self);
    std::optional<Job> take(std::size_t self);
    MotionField estimate(std::size_t self, int lane, const Job& job, std::chrono::microseconds& duration);
    void note_end(std::size_t self, const Job& job, std::optional<std::chrono::microseconds> duration);
    void answer(std::size_t self, Job& job, MotionField field, std::chrono::microseconds duration);
    void give_back(std::size_t self, Job& job, const std::string& reason);
    std::vector<bool> supported_by(const SearchParams& params) const;
    int bands_for(const MotionRequest& request, const std::vector<bool>& supported) const;
    void enqueue(std::vector<Job> jobs);
};

/// An idle worker of a backend that has less to do, or as much and is preferred. With the mutex held.
bool Coprocessor::State::is_left_to_another(std::size_t self, const Job& job) const {
    for (std::size_t other = 0; other + 1 < backends.size(); ++other) {
        const Backend& candidate = backends[other];
        if (other == self || candidate.retired || !job.supported[other] || candidate.idle == 0) continue;
        if (is_fallback(self) || std::pair(candidate.busy(), other) < std::pair(backends[self].busy(), self))
            return true;
    }
    return false;
}

/// Whether the fallback would be done with the job when the others, with `backlog` to do up to and with it, are. Until
/// it is known how fast it is, it takes one job; until it is known how fast they are, no more. With the mutex held.
bool Coprocessor::State::has_time_to_finish(std::size_t self, const Job& job, double backlog) const {
    if (backends[self].pace == 0) return backends[self].busy() == 0;
    double work_per_second = 0;
    for (std::size_t other = 0; other + 1 < backends.size(); ++other) {
        const Backend& helper = backends[other];
        if (helper.retired || !job.supported[other]) continue;
        if (helper.pace == 0) return false;
        work_per_second += helper.lanes / helper.pace;
    }
    return backends[self].pace * job.work * work_per_second <= backlog;
}

/// With the mutex held.
bool Coprocessor::State::may_take(std::size_t self, const Job& job, double backlog) const {
    if (!is_fallback(self)) return job.supported[self] && !is_left_to_another(self, job);
    bool another_can = false;
    for (std::size_t other = 0; other + 1 < backends.size(); ++other)
        another_can |= !backends[other].retired && job.supported[other];
    if (!another_can) return true;
    return options.fallback_shares && job.supported[self] && !is_left_to_another(self, job) &&
           has_time_to_finish(self, job, backlog);
}

/// With the mutex held.
std::deque<Job>::iterator Coprocessor::State::find_job(std::size_t self) {
    double backlog = 0; // Of the others, up to and with the job that is looked at.
    for (std::size_t other = 0; other + 1 < backends.size(); ++other)
        backlog += backends[other].running;
    auto job = queue.begin();
    for (; job != queue.end(); ++job) {
        backlog += job->work;
        if (may_take(self, *job, backlog)) break;
    }
    return job;
}

/// Waits for a job that this worker may run; nothing when it is time to end.
std::optional<Job> Coprocessor::State::take(std::size_t self) {
    std::unique_lock lock(mutex);
    Backend& backend = backends[self];
    auto found = queue.end();
    work_changed.wait(lock, [&] { return stopping || backend.retired || (found = find_job(self)) != queue.end(); });
    if (stopping || backend.retired) return std::nullopt;
    --backend.idle;
    std::optional<Job> job(std::move(*found));
    backend.running += job->work;
    queue.erase(found);
    if (!queue.empty()) work_changed.notify_all();
    if (!job->returned) {
        --waiting;
        room_made.notify_all();
    }
    return job;
}

MotionField Coprocessor::State::estimate(std::size_t self, int lane, const Job& job,
                                         std::chrono::microseconds& duration) {
    const Backend& backend = backends[self];
    const auto begin = Trace::Clock::now();
    MotionField field = backend.estimator->estimate(job.request);
    const auto end = Trace::Clock::now();
    if (options.trace) {
        const std::string row = "motion " + backend.name + (lane > 0 ? " lane " + std::to_string(lane + 1) : "");
        options.trace->add("motion", row, job.picture, begin, end);
    }
    duration = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
    return field;
}

/// The worker is idle again. A job that failed says nothing of its pace.
void Coprocessor::State::note_end(std::size_t self, const Job& job, std::optional<std::chrono::microseconds> duration) {
    const std::lock_guard lock(mutex);
    Backend& backend = backends[self];
    ++backend.idle;
    backend.running -= job.work;
    if (!duration) return;
    const double pace =
        std::chrono::duration<double>(std::max(*duration, std::chrono::microseconds(1))).count() / job.work;
    backend.pace = backend.pace == 0 ? pace : 0.75 * backend.pace + 0.25 * pace;
}

void Coprocessor::State::answer(std::size_t self, Job& job, MotionField field, std::chrono::microseconds duration) {
    const std::string& name = backends[self].name;
    try {
        if (options.audit && !is_fallback(self)) options.audit(job.request, job.picture, field, name);
    } catch (...) {
        job.answer->fail(std::current_exception());
        return;
    }
    job.answer->add(std::move(field), rows_of(job.request), self, name, duration);
}

/// Takes the worker's backend out of service and hands its job to another one, unless it is too late for that.
void Coprocessor::State::give_back(std::size_t self, Job& job, const std::string& reason) {
    bool is_first = false;
    {
        const std::lock_guard lock(mutex);
        is_first = !std::exchange(backends[self].retired, true);
        backends[self].running -= job.work;
    }
    if (is_first && options.on_warning)
        options.on_warning(backends[self].name + " failed (" + reason + "); motion estimation goes on without it");
    {
        const std::lock_guard lock(mutex);
        work_changed.notify_all();
        if (!stopping) {
            job.returned = true;
            queue.push_front(std::move(job));
            return;
        }
    }
    job.answer->fail(stop_error());
}

void Coprocessor::State::work(std::size_t self, int lane) {
    while (std::optional<Job> job = take(self)) {
        std::chrono::microseconds duration{};
        MotionField field;
        std::exception_ptr error;
        try {
            field = estimate(self, lane, *job, duration);
        } catch (const InputError&) {
            error = std::current_exception();
        } catch (...) {
            error = std::current_exception();
            if (!is_fallback(self)) {
                give_back(self, *job, reason_of(error));
                return;
            }
        }
        note_end(self, *job, error ? std::nullopt : std::optional(duration));
        if (error)
            job->answer->fail(error);
        else
            answer(self, *job, std::move(field), duration);
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
    work_changed.notify_all();
    room_made.notify_all();
    for (Job& job : left)
        job.answer->fail(stop_error());
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
}

void Coprocessor::State::add_backend(std::unique_ptr<Estimator> estimator) {
    Backend backend;
    backend.name = estimator->name();
    backend.lanes = backend.idle = std::max(1, estimator->concurrency());
    backend.estimator = std::move(estimator);
    backends.push_back(std::move(backend));
}

std::vector<bool> Coprocessor::State::supported_by(const SearchParams& params) const {
    std::vector<bool> supported;
    for (const Backend& backend : backends)
        supported.push_back(backend.estimator->supports(params));
    if (std::find(supported.begin(), supported.end(), true) == supported.end()) {
        const auto problems = params.validate();
        throw InputError("no backend runs this motion search" + (problems.empty() ? "" : ": " + problems.front()));
    }
    return supported;
}

int Coprocessor::State::bands_for(const MotionRequest& request, const std::vector<bool>& supported) const {
    if (options.split == Split::pictures) return 1;
    const std::lock_guard lock(mutex);
    int takers = 0;
    std::size_t under_way = queue.size();
    for (std::size_t index = 0; index < backends.size(); ++index) {
        const bool shares = !is_fallback(index) || options.fallback_shares;
        if (backends[index].retired) continue;
        takers += shares && supported[index] ? 1 : 0;
        under_way += static_cast<std::size_t>(backends[index].busy());
    }
    if (options.split == Split::bands) return takers;
    // In raster order the rows above a band are searched once more for it.
    const bool is_serial =
        request.params.algorithm == Algorithm::smpuhex && request.params.block_order == BlockOrder::raster;
    return is_serial || under_way + 1 >= static_cast<std::size_t>(takers) ? 1 : takers;
}

/// Waits for room, then puts all of them in.
void Coprocessor::State::enqueue(std::vector<Job> jobs) {
    std::unique_lock lock(mutex);
    room_made.wait(lock, [&] { return stopping || waiting < options.queue_capacity; });
    if (stopping) throw RunError(stopped);
    waiting += jobs.size();
    std::move(jobs.begin(), jobs.end(), std::back_inserter(queue));
    work_changed.notify_all();
}

Coprocessor::Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                         CoprocessorOptions options)
    : state_(std::make_unique<State>()) {
    if (!fallback) throw std::invalid_argument("a coprocessor without a fallback");
    if (options.queue_capacity < 1) throw std::invalid_argument("a coprocessor whose queue has no room");
    state_->options = std::move(options);
    backends.push_back(std::move(fallback));
    for (std::unique_ptr<Estimator>& estimator : backends)
        state_->add_backend(std::move(estimator));
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        for (int lane = 0; lane < state_->backends[i].lanes; ++lane)
            state_->threads.emplace_back([state = state_.get(), i, lane] { state->work(i, lane); });
    }
}

Coprocessor::~Coprocessor() = default;

std::future<MotionResult> Coprocessor::submit(MotionRequest request, std::int64_t picture) {
    const std::vector<bool> supported = state_->supported_by(request.params);
    const std::vector<BlockRows> bands = cut_rows(rows_of(request), state_->bands_for(request, supported));
    const auto answer = std::make_shared<MotionAnswer>(bands.size());
    std::future<MotionResult> future = answer->future();
    std::vector<Job> jobs;
    for (const BlockRows& rows : bands) {
        Job job{request, picture, supported, 0, false, answer};
        job.request.first_row = rows.first;
        job.request.end_row = rows.end;
        job.work = work_of(job.request);
        jobs.push_back(std::move(job));
    }
    state_->enqueue(std::move(jobs));
    return future;
}

std::vector<MotionBand> Coprocessor::submit_bands(const MotionRequest& request, int bands, std::int64_t picture) {
    const std::vector<bool> supported = state_->supported_by(request.params);
    std::vector<MotionBand> futures;
    for (const BlockRows& rows : cut_rows(rows_of(request), bands)) {
        Job job{request, picture, supported, 0, false, std::make_shared<MotionAnswer>(1)};
        job.request.first_row = rows.first;
        job.request.end_row = rows.end;
        job.work = work_of(job.request);
        futures.push_back({rows.first, rows.end, job.answer->future()});
        std::vector<Job> alone;
        alone.push_back(std::move(job));
        state_->enqueue(std::move(alone));
    }
    return futures;
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
