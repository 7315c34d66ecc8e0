// SPDX-License-Identifier: BSD-2-Clause
// The workers of the coprocessor: who takes which jobs, and what becomes of them.
#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "machine/errors.h"
#include "me/coprocessor/coprocessor_state.h"

namespace tandem {

namespace {

/// Where there is no memory for it, that it is missing.
std::exception_ptr stop_error() noexcept try {
    return std::make_exception_ptr(RunError(coprocessor_stopped));
} catch (const std::bad_alloc&) {
    return std::current_exception();
}

/// What an exception says, for a warning.
std::string reason_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

/// Several jobs are alike, of one field each.
std::vector<MotionFields> answers_of(Estimator& estimator, const std::list<MotionJob>& jobs) {
    std::vector<MotionFields> fields;
    if (jobs.size() == 1) {
        const MotionRequest& request = jobs.front().request;
        fields.push_back(answers_to(estimator, request));
        if (fields.front().size() == std::max<std::size_t>(request.sizes.size(), 1)) return fields;
        throw RunError("it left block sizes unanswered");
    }
    std::vector<MotionRequest> requests;
    for (const MotionJob& job : jobs)
        requests.push_back(job.request);
    for (MotionField& field : estimator.estimate_batch(requests))
        fields.emplace_back().push_back(std::move(field));
    if (fields.size() != jobs.size()) throw RunError("it left requests unanswered");
    return fields;
}

} // namespace

void CoprocessorState::wake_workers() {
    for (const MotionBackend& backend : backends)
        backend.work_changed->notify_one();
}

/// Whether a backend stays in service whatever it does. With the mutex held.
bool CoprocessorState::is_last_resort(std::size_t index) const {
    if (fallback || backends[index].retired) return is_fallback(index);
    return std::ranges::count(backends, false, &MotionBackend::retired) == 1;
}

/// With the mutex held.
bool CoprocessorState::has_taker(const MotionJob& job) const {
    for (std::size_t index = 0; index < backends.size(); ++index)
        if (!backends[index].retired && job.runs_on(index)) return true;
    return false;
}

/// With the mutex held.
bool CoprocessorState::a_helper_can_run(const MotionJob& job) const {
    for (std::size_t index = 0; index < backends.size(); ++index)
        if (helps(index) && job.runs_on(index)) return true;
    return false;
}

/// Whether this is the backend that the job had best go to, of those that can run it. With the mutex held.
bool CoprocessorState::is_at_home(std::size_t self, const MotionJob& job) const {
    std::size_t able = 0, place = 0;
    for (std::size_t index = 0; index < backends.size(); ++index) {
        if (index == self) place = able;
        able += helps(index) && job.runs_on(index) ? 1 : 0;
    }
    return !is_fallback(self) && job.runs_on(self) && job.home % able == place;
}

/// An idle worker of a backend that has less to do, or as much and is preferred. With the mutex held.
bool CoprocessorState::is_left_to_another(std::size_t self, const MotionJob& job) const {
    for (std::size_t other = 0; other < backends.size(); ++other) {
        const MotionBackend& candidate = backends[other];
        if (other == self || !helps(other) || !job.runs_on(other) || candidate.idle == 0) continue;
        if (is_fallback(self) || std::pair(candidate.busy(), other) < std::pair(backends[self].busy(), self))
            return true;
    }
    return false;
}

/// Whether the fallback would be done with the job when the others, with `backlog` to do up to and with it, are. Until
/// it is known how fast it is, it takes one job; until it is known how fast they are, no more. With the mutex held.
bool CoprocessorState::has_time_to_finish(std::size_t self, const MotionJob& job, double backlog) const {
    if (backends[self].pace == 0) return backends[self].busy() == 0;
    double work_per_second = 0;
    for (std::size_t other = 0; other < backends.size(); ++other) {
        const MotionBackend& helper = backends[other];
        if (!helps(other) || !job.runs_on(other)) continue;
        if (helper.pace == 0) return false;
        work_per_second += helper.workers / helper.pace;
    }
    return backends[self].pace * job.work * work_per_second <= backlog;
}

/// With the mutex held.
bool CoprocessorState::may_take(std::size_t self, const MotionJob& job, double backlog) const {
    if (!is_fallback(self)) return job.runs_on(self) && !is_left_to_another(self, job);
    if (!a_helper_can_run(job)) return job.runs_on(self);
    return options.fallback_shares && job.runs_on(self) && !is_left_to_another(self, job) &&
           has_time_to_finish(self, job, backlog);
}

/// With the mutex held.
std::list<MotionJob>::iterator CoprocessorState::find_job(std::size_t self) {
    double backlog = 0; // Of the others, up to and with the job that is looked at.
    std::size_t idle = 0;
    for (std::size_t other = 0; other < backends.size(); ++other) {
        if (!helps(other)) continue;
        backlog += backends[other].running;
        idle += static_cast<std::size_t>(backends[other].idle);
    }
    if (queue.size() >= idle) {
        const auto at_home = std::ranges::find_if(queue, [&](const MotionJob& job) { return is_at_home(self, job); });
        if (at_home != queue.end()) return at_home;
    }
    auto job = queue.begin();
    for (; job != queue.end(); ++job) {
        backlog += job->work;
        if (may_take(self, *job, backlog)) break;
    }
    return job;
}

/// How many jobs like this one a worker takes with it, itself included: what its estimator gains by, but no more than
/// its part of those that wait, where other workers are idle too. The fallback, which has time for one job that others
/// could run, takes no more. With the mutex held.
std::size_t CoprocessorState::share_of(std::size_t self, const MotionJob& job) const {
    if (job.at_once[self] <= 1 || job.alone) return 1;
    if (is_fallback(self) && a_helper_can_run(job)) return 1;
    const auto are_alike = [&](const MotionJob& other) { return !other.alone && alike(other.request, job.request); };
    const std::ptrdiff_t waiting_jobs = std::ranges::count_if(queue, are_alike);
    int takers = 0;
    for (std::size_t other = 0; other < backends.size(); ++other) {
        if (helps(other) && job.runs_on(other)) takers += backends[other].idle;
    }
    const std::ptrdiff_t part = (waiting_jobs + takers - 1) / std::max(takers, 1);
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(part, 1, job.at_once[self]));
}

/// Waits for a job that this worker may run, and takes its share of those that are like it; none when it is time to
/// end.
std::list<MotionJob> CoprocessorState::take(std::size_t self) {
    std::unique_lock lock(mutex);
    MotionBackend& backend = backends[self];
    auto next = queue.end();
    backend.work_changed->wait(lock,
                               [&] { return stopping || backend.retired || (next = find_job(self)) != queue.end(); });
    std::list<MotionJob> jobs;
    if (stopping || backend.retired) return jobs;
    const std::size_t share = share_of(self, *next);
    --backend.idle;
    while (next != queue.end() && jobs.size() < share) {
        if (!jobs.empty() && (next->alone || !alike(next->request, jobs.front().request))) {
            ++next;
            continue;
        }
        backend.running += next->work;
        if (!next->returned) --waiting;
        jobs.splice(jobs.end(), queue, next++);
    }
    if (!queue.empty()) wake_workers();
    room_made.notify_all();
    return jobs;
}

/// The fields of each job.
std::vector<MotionFields> CoprocessorState::estimate(std::size_t self, int worker, const std::list<MotionJob>& jobs,
                                                     std::chrono::microseconds& duration) {
    const MotionBackend& backend = backends[self];
    const auto begin = Trace::Clock::now();
    std::vector<MotionFields> fields = answers_of(*backend.estimator, jobs);
    const auto end = Trace::Clock::now();
    const std::string row = "motion " + backend.name + (worker > 0 ? " worker " + std::to_string(worker + 1) : "");
    for (const MotionJob& job : jobs)
        if (options.trace) options.trace->add("motion", row, job.picture, begin, end);
    duration = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
    return fields;
}

/// The worker is idle again. Jobs that failed say nothing of its pace.
void CoprocessorState::note_end(std::size_t self, const std::list<MotionJob>& jobs,
                                std::optional<std::chrono::microseconds> duration) {
    double work = 0;
    for (const MotionJob& job : jobs)
        work += job.work;
    const std::lock_guard lock(mutex);
    MotionBackend& backend = backends[self];
    ++backend.idle;
    backend.running -= work;
    if (!duration) return;
    const double pace = std::chrono::duration<double>(std::max(*duration, std::chrono::microseconds(1))).count() / work;
    backend.pace = backend.pace == 0 ? pace : 0.75 * backend.pace + 0.25 * pace;
}

void CoprocessorState::audit(const MotionJob& job, const MotionFields& fields, const std::string& name) const {
    if (job.request.sizes.empty()) return options.audit(job.request, job.picture, fields.front(), name);
    auto field = fields.begin();
    for (const MotionRequest& one : requests_of_sizes(job.request, job.request.sizes))
        options.audit(one, job.picture, *field++, name);
}

void CoprocessorState::answer(std::size_t self, MotionJob& job, MotionFields fields,
                              std::chrono::microseconds duration) {
    const std::string& name = backends[self].name;
    try {
        if (options.audit && !is_fallback(self)) audit(job, fields, name);
        const std::size_t place = is_fallback(self) ? most_backends : self;
        job.answer->add(std::move(fields), rows_of(job.request), place, name, duration);
    } catch (...) {
        job.answer->fail(std::current_exception());
    }
}

/// In front of the others, unless it is too late for that.
void CoprocessorState::put_back(std::list<MotionJob>& jobs) {
    {
        const std::lock_guard lock(mutex);
        if (!stopping) {
            for (MotionJob& job : jobs)
                job.returned = true;
            queue.splice(queue.begin(), jobs);
            wake_workers();
            return;
        }
    }
    for (MotionJob& job : jobs)
        job.answer->fail(stop_error());
}

/// What waits and no live backend runs, after one was retired for `error`.
void CoprocessorState::fail_what_nobody_takes(const std::exception_ptr& error) {
    std::list<MotionJob> left;
    {
        const std::lock_guard lock(mutex);
        for (auto job = queue.begin(); job != queue.end();) {
            const auto next = std::next(job);
            if (!has_taker(*job)) {
                if (!job->returned) --waiting;
                left.splice(left.end(), queue, job);
            }
            job = next;
        }
    }
    room_made.notify_all();
    for (MotionJob& job : left)
        job.answer->fail(error);
}

/// A warning for which there is no memory is left out.
void CoprocessorState::warn_of_failure(const std::string& name, const std::exception_ptr& error) const {
    if (!options.on_warning) return;
    try {
        options.on_warning(name + " failed (" + reason_of(error) + "); motion estimation goes on without it");
    } catch (const std::bad_alloc&) {
    }
}

/// Takes the worker's backend out of service, unless it is the last resort: then false.
bool CoprocessorState::retire(std::size_t self, const std::list<MotionJob>& jobs, const std::exception_ptr& error) {
    bool is_first = false;
    {
        const std::lock_guard lock(mutex);
        if (is_last_resort(self)) return false;
        is_first = !std::exchange(backends[self].retired, true);
        for (const MotionJob& job : jobs)
            backends[self].running -= job.work;
        backends[self].work_changed->notify_all();
        wake_workers();
    }
    if (is_first) warn_of_failure(backends[self].name, error);
    return true;
}

/// False when that has retired the worker's backend.
bool CoprocessorState::run(std::size_t self, int worker, std::list<MotionJob>& jobs) {
    std::chrono::microseconds duration{};
    std::vector<MotionFields> fields;
    std::exception_ptr error;
    try {
        fields = estimate(self, worker, jobs, duration);
    } catch (const InputError&) {
        error = std::current_exception();
    } catch (const Interrupted&) { // No failure of the backend.
        error = std::current_exception();
    } catch (...) {
        error = std::current_exception();
        if (retire(self, jobs, error)) {
            put_back(jobs);
            fail_what_nobody_takes(error);
            return false;
        }
    }
    note_end(self, jobs, error ? std::nullopt : std::optional(duration));
    if (error && jobs.size() > 1) { // Which of them is at fault shows when each runs alone.
        for (MotionJob& job : jobs)
            job.alone = true;
        put_back(jobs);
        return true;
    }
    const auto share = duration / static_cast<std::chrono::microseconds::rep>(jobs.size());
    auto fields_of_job = fields.begin();
    for (MotionJob& job : jobs) {
        if (error)
            job.answer->fail(error);
        else
            answer(self, job, std::move(*fields_of_job++), share);
    }
    return true;
}

void CoprocessorState::work(std::size_t self, int worker) {
    std::list<MotionJob> jobs;
    do {
        jobs = take(self);
    } while (!jobs.empty() && run(self, worker, jobs));
}

void CoprocessorState::stop() {
    std::list<MotionJob> left;
    {
        const std::lock_guard lock(mutex);
        stopping = true;
        left.swap(queue);
        waiting = 0;
    }
    for (const MotionBackend& backend : backends)
        backend.work_changed->notify_all();
    room_made.notify_all();
    for (MotionJob& job : left)
        job.answer->fail(stop_error());
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
}

} // namespace tandem
