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

void CoprocessorState::add_backend(std::unique_ptr<Estimator> estimator) {
    MotionBackend backend;
    backend.name = estimator->name();
    backend.workers = backend.idle = std::max(1, estimator->concurrency());
    backend.estimator = std::move(estimator);
    backends.push_back(std::move(backend));
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
    state_->has_fallback = fallback != nullptr;
    if (fallback) backends.push_back(std::move(fallback));
    for (std::unique_ptr<Estimator>& estimator : backends)
        state_->add_backend(std::move(estimator));
    std::size_t workers = 0;
    for (const MotionBackend& backend : state_->backends)
        workers += static_cast<std::size_t>(backend.workers);
    state_->threads.reserve(workers); // A thread that runs needs its place.
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        for (int worker = 0; worker < state_->backends[i].workers; ++worker)
            state_->threads.push_back(start_thread("a thread for motion search",
                                                   [state = state_.get(), i, worker] { state->work(i, worker); }));
    }
}

Coprocessor::~Coprocessor() = default;

void Coprocessor::prepare(const SearchParams& params, int width, int height) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < state_->helpers(); ++i) {
        if (state_->is_retired(i)) continue;
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

bool Coprocessor::supports(const SearchParams& params) const {
    for (std::size_t i = 0; i < state_->backends.size(); ++i)
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

std::vector<std::string> Coprocessor::backend_names() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string> names;
    for (const MotionBackend& backend : state_->backends) {
        if (!backend.retired) names.push_back(backend.name);
    }
    return names;
}

} // namespace tandem
