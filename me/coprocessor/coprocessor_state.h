// SPDX-License-Identifier: BSD-2-Clause
// One mutex, State::mutex, guards everything but what a worker holds of its own jobs; no lock is taken under it, and
// neither an estimator, an answer, a callback nor the trace is called with it held. Invariants:
// - A job is in exactly one place: in `queue`, or with the one worker that runs it, or done (its answer has it). A
//   request that was cut is several jobs of one answer.
// - A job is a node of a list, made by who submits it. Workers hand nodes on, which takes no memory: of what they do
//   only searches, audits and answers can fail, and that becomes the answer.
// - `waiting` jobs count against the capacity; a job that came back from a backend stands in front and does not,
//   so no worker ever waits for room. The bands of one request go in together.
// - A backend has as many workers as its estimator's concurrency(); `idle` of them wait for work, or have not
//   begun yet, or are on their way to wait. Jobs are taken in the order of the queue by the first who may.
// - A worker only takes a job that its estimator supports, and leaves it to an idle one whose backend runs fewer jobs,
//   or as many and is preferred: of those that could take a job, one always may. Where there are jobs for all idle
//   workers, each takes first what is at home: the home changes only every few requests, so that most pictures go to
//   one device.
// - The fallback, last in that order where there is one (whatever its place), takes what it supports and no other live
// backend does; where
//   it shares, also what it is expected to finish before the others would. Another backend may always take what the
//   fallback leaves.
// - Each job that waits has a live backend that supports it: submit() refuses others, and those that a retirement
// leaves
//   without one fail with its error.
// - A worker takes several jobs where its estimator gains by that: those that are alike, past others if need be, but no
//   more than leaves as many to each other idle worker. Jobs of which one breaks the rules run again, each alone.
// - A backend that comes later (Coprocessor::add) may run requests that came before it: it is asked about those that
//   wait. MotionJob::at_once says nothing of backends that came after the request and were not asked.
// - A retired backend never takes a job again and its threads end; the first of its workers to fail retires it and
//   warns, the others give their jobs back without a word. The fallback is never retired, nor, where there is none, the
//   last backend that is left: what it cannot do fails.
// - Every change that may let a waiting worker take a job (a job comes, or one goes while others stay; a retirement)
//   wakes one worker of each backend, since those of one backend may take the same jobs, and who takes one wakes the
//   next; the stop and a retirement wake all that have to end. `waiting` that falls notifies `room_made`.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "me/coprocessor/coprocessor_options.h"
#include "me/coprocessor/motion_job.h"

namespace tandem {

/// What backends answered when they were last asked: most requests are like the one before.
struct AskedBefore {
    SearchParams params;
    int width = 0, height = 0;
    std::vector<int> at_once;
};

/// What all backends were told to get ready for.
struct Prepared {
    SearchParams params;
    int width = 0, height = 0;
};

inline constexpr std::size_t most_backends = 64;

/// What requests are told that come too late.
inline constexpr const char* coprocessor_stopped = "motion estimation was stopped";

struct CoprocessorState {
    CoprocessorOptions options;
    mutable std::mutex mutex;
    std::condition_variable room_made;
    std::list<MotionJob> queue;
    std::size_t waiting = 0;
    std::size_t submitted = 0; ///< Requests.
    bool stopping = false;
    mutable std::optional<AskedBefore> asked_before;
    std::vector<MotionBackend> backends; ///< It grows with the mutex held, up to `most_backends`, and never moves.
    std::optional<std::size_t> fallback; ///< Its place.
    std::optional<Prepared> prepared;
    std::vector<std::thread> threads;

    ~CoprocessorState() { stop(); }

    bool is_fallback(std::size_t index) const { return index == fallback; }
    /// With the mutex held.
    bool helps(std::size_t index) const { return !is_fallback(index) && !backends[index].retired; }
    /// So many there are by now.
    std::size_t count() const;
    bool is_last_resort(std::size_t index) const;
    bool has_taker(const MotionJob& job) const;
    bool a_helper_can_run(const MotionJob& job) const;
    bool is_retired(std::size_t index) const;
    void stop();
    void wake_workers();
    std::size_t add_backend(std::unique_ptr<Estimator> estimator);
    void start_workers(std::size_t index);
    void offer_what_waits(std::size_t newcomer);
    std::optional<Prepared> prepared_for() const;
    void work(std::size_t self, int worker);
    bool is_at_home(std::size_t self, const MotionJob& job) const;
    bool is_left_to_another(std::size_t self, const MotionJob& job) const;
    bool has_time_to_finish(std::size_t self, const MotionJob& job, double backlog) const;
    bool may_take(std::size_t self, const MotionJob& job, double backlog) const;
    std::list<MotionJob>::iterator find_job(std::size_t self);
    std::size_t share_of(std::size_t self, const MotionJob& job) const;
    std::list<MotionJob> take(std::size_t self);
    std::vector<MotionFields> estimate(std::size_t self, int worker, const std::list<MotionJob>& jobs,
                                       std::chrono::microseconds& duration);
    void note_end(std::size_t self, const std::list<MotionJob>& jobs,
                  std::optional<std::chrono::microseconds> duration);
    void audit(const MotionJob& job, const MotionFields& fields, const std::string& name) const;
    void answer(std::size_t self, MotionJob& job, MotionFields fields, std::chrono::microseconds duration);
    void put_back(std::list<MotionJob>& jobs);
    void warn_of_failure(const std::string& name, const std::exception_ptr& error) const;
    bool retire(std::size_t self, const std::list<MotionJob>& jobs, const std::exception_ptr& error);
    void fail_what_nobody_takes(const std::exception_ptr& error);
    bool run(std::size_t self, int worker, std::list<MotionJob>& jobs);
    std::vector<int> ask_backends(const MotionRequest& request) const;
    std::vector<int> at_once(const MotionRequest& request) const;
    int bands_for(const MotionRequest& request, const std::vector<int>& at_once, std::size_t together) const;
    std::list<MotionJob> jobs_of(const MotionRequest& request, std::int64_t picture, std::size_t together,
                                 const std::shared_ptr<MotionAnswer>& answer) const;
    void enqueue(std::list<MotionJob> jobs);
};

} // namespace tandem
