// SPDX-License-Identifier: BSD-2-Clause
// What callers of the coprocessor see.
#include "me/coprocessor/coprocessor.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "machine/errors.h"
#include "machine/threads.h"
#include "me/coprocessor/coprocessor_state.h"

namespace tandem {

std::size_t CoprocessorState::count() const {
    const std::lock_guard lock(mutex);
    return backends.size();
}

/// Its place.
std::size_t CoprocessorState::add_backend(std::unique_ptr<Estimator> estimator) {
    MotionBackend backend;
    backend.name = estimator->name();
    backend.workers = backend.idle = std::max(1, estimator->concurrency());
    backend.estimator = std::move(estimator);
    const std::lock_guard lock(mutex);
    if (backends.size() == most_backends)
        throw std::invalid_argument("a coprocessor of more than " + std::to_string(most_backends) + " backends");
    backends.push_back(std::move(backend));
    return backends.size() - 1;
}

std::optional<Prepared> CoprocessorState::prepared_for() const {
    const std::lock_guard lock(mutex);
    return prepared;
}

void CoprocessorState::start_workers(std::size_t index) {
    const auto workers = static_cast<std::size_t>(backends[index].workers);
    threads.reserve(threads.size() + workers); // A thread that runs needs its place.
    for (int worker = 0; worker < backends[index].workers; ++worker)
        threads.push_back(start_thread("a thread for motion search", [this, index, worker] { work(index, worker); }));
}

bool CoprocessorState::is_retired(std::size_t index) const {
    const std::lock_guard lock(mutex);
    return backends[index].retired;
}

Coprocessor::Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                         CoprocessorOptions options)
    : state_(std::make_unique<CoprocessorState>()) {
    if (!fallback && backends.empty()) throw std::invalid_argument("a coprocessor without an estimator");
    if (std::find(backends.begin(), backends.end(), nullptr) != backends.end())
        throw std::invalid_argument("a coprocessor with a backend that is null");
    if (options.queue_capacity < 1) throw std::invalid_argument("a coprocessor whose queue has no room");
    state_->options = std::move(options);
    state_->backends.reserve(most_backends);
    for (std::unique_ptr<Estimator>& estimator : backends)
        state_->add_backend(std::move(estimator));
    if (fallback) state_->fallback = state_->add_backend(std::move(fallback));
    for (std::size_t i = 0; i < state_->backends.size(); ++i)
        state_->start_workers(i);
}

Coprocessor::~Coprocessor() = default;

void Coprocessor::prepare(const SearchParams& params, int width, int height) {
    std::vector<std::jthread> threads;
    {
        const std::lock_guard lock(state_->mutex);
        state_->prepared = Prepared{params, width, height};
    }
    for (std::size_t i = 0; i < state_->count(); ++i) {
        if (state_->is_fallback(i) || state_->is_retired(i)) continue;
        threads.emplace_back([&, i] {
            try {
                state_->backends[i].estimator->prepare(params, width, height);
            } catch (...) {
                const std::exception_ptr error = std::current_exception();
                if (state_->retire(i, {}, error)) state_->fail_what_nobody_takes(error);
            }
        });
    }
}

void Coprocessor::add(std::unique_ptr<Estimator> backend) {
    if (!backend) throw std::invalid_argument("a coprocessor with a backend that is null");
    const std::string name = backend->name();
    std::optional<std::size_t> place;
    try {
        if (const auto prepared = state_->prepared_for())
            backend->prepare(prepared->params, prepared->width, prepared->height);
        place = state_->add_backend(std::move(backend));
        state_->start_workers(*place);
        state_->offer_what_waits(*place);
    } catch (const RunError&) {
        const std::exception_ptr error = std::current_exception();
        if (!place)
            state_->warn_of_failure(name, error);
        else if (!state_->retire(*place, {}, error))
            throw;
    }
}

bool Coprocessor::supports(const SearchParams& params) const {
    for (std::size_t i = 0; i < state_->count(); ++i)
        if (!state_->is_retired(i) && state_->backends[i].estimator->supports(params)) return true;
    return false;
}

std::future<MotionResult> Coprocessor::submit(MotionRequest request, std::int64_t picture) {
    const auto answer = std::make_shared<MotionAnswer>();
    std::future<MotionResult> future = answer->future();
    state_->enqueue(state_->jobs_of(request, picture, 1, answer));
    return future;
}

std::vector<std::future<MotionResult>> Coprocessor::submit_batch(std::vector<MotionRequest> requests,
                                                                 std::int64_t first_picture) {
    std::vector<std::future<MotionResult>> futures;
    std::list<MotionJob> jobs;
    for (const MotionRequest& request : requests) {
        const auto answer = std::make_shared<MotionAnswer>();
        futures.push_back(answer->future());
        jobs.splice(jobs.end(), state_->jobs_of(request, first_picture++, requests.size(), answer));
    }
    if (!jobs.empty()) state_->enqueue(std::move(jobs));
    return futures;
}

int Coprocessor::helpers() const {
    const std::lock_guard lock(state_->mutex);
    int count = 0;
    for (std::size_t i = 0; i < state_->backends.size(); ++i)
        if (state_->helps(i)) ++count;
    return count;
}

std::vector<std::string> Coprocessor::backend_names() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        if (state_->helps(i)) names.push_back(state_->backends[i].name);
    }
    if (state_->fallback) names.push_back(state_->backends[*state_->fallback].name);
    return names;
}

} // namespace tandem
