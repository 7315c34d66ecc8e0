// SPDX-License-Identifier: BSD-2-Clause
// What callers of the coprocessor see: requests are checked, cut and queued.
#include "me/coprocessor/coprocessor.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "machine/errors.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor_state.h"

namespace tandem {

void Coprocessor::State::add_backend(std::unique_ptr<Estimator> estimator) {
    MotionBackend backend;
    backend.name = estimator->name();
    backend.lanes = backend.idle = std::max(1, estimator->concurrency());
    backend.estimator = std::move(estimator);
    backends.push_back(std::move(backend));
}

bool Coprocessor::State::is_retired(std::size_t index) const {
    const std::lock_guard lock(mutex);
    return backends[index].retired;
}

std::vector<int> Coprocessor::State::ask_backends(const SearchParams& params, int width, int height) const {
    std::vector<int> most;
    for (const MotionBackend& backend : backends) {
        const Estimator& estimator = *backend.estimator;
        most.push_back(!estimator.supports(params) ? 0 : std::max(1, estimator.most_at_once(params, width, height)));
    }
    if (std::ranges::count(most, 0) == std::ssize(most)) {
        const auto problems = params.validate();
        throw InputError("no backend runs this motion search" + (problems.empty() ? "" : ": " + problems.front()));
    }
    return most;
}

/// MotionJob::at_once of a request.
std::vector<int> Coprocessor::State::at_once(const MotionRequest& request) const {
    AskedBefore asked{request.params, 0, 0, {}};
    if (request.current) {
        asked.width = request.current->width();
        asked.height = request.current->height();
    }
    {
        const std::lock_guard lock(mutex);
        if (asked_before && asked_before->params == asked.params && asked_before->width == asked.width &&
            asked_before->height == asked.height)
            return asked_before->at_once;
    }
    asked.at_once = ask_backends(asked.params, asked.width, asked.height);
    const std::lock_guard lock(mutex);
    asked_before = asked;
    return asked.at_once;
}

int Coprocessor::State::bands_for(const MotionRequest& request, const std::vector<int>& at_once) const {
    if (options.split == Split::pictures) return 1;
    const std::lock_guard lock(mutex);
    int takers = 0;
    std::size_t under_way = queue.size();
    for (std::size_t index = 0; index < backends.size(); ++index) {
        const bool shares = !is_fallback(index) || options.fallback_shares;
        if (backends[index].retired) continue;
        takers += shares && at_once[index] > 0 ? 1 : 0;
        under_way += static_cast<std::size_t>(backends[index].busy());
    }
    if (options.split == Split::bands) return takers;
    // In raster order the rows above a band are searched once more for it.
    const bool is_serial =
        request.params.algorithm == Algorithm::smpuhex && request.params.block_order == BlockOrder::raster;
    return is_serial || under_way + 1 >= static_cast<std::size_t>(takers) ? 1 : takers;
}

/// Waits for room, then puts all of them in. Eight requests in a row have one home: each new device for a picture is
/// another upload of it. The bands of one request have homes of their own.
void Coprocessor::State::enqueue(std::list<MotionJob> jobs) {
    std::unique_lock lock(mutex);
    room_made.wait(lock, [&] { return stopping || waiting < options.queue_capacity; });
    if (stopping) throw RunError(coprocessor_stopped);
    waiting += jobs.size();
    std::size_t home = submitted++ / 8;
    for (MotionJob& job : jobs)
        job.home = home++;
    queue.splice(queue.end(), jobs);
    wake_workers();
}

Coprocessor::Coprocessor(std::vector<std::unique_ptr<Estimator>> backends, std::unique_ptr<Estimator> fallback,
                         CoprocessorOptions options)
    : state_(std::make_unique<State>()) {
    if (!fallback) throw std::invalid_argument("a coprocessor without a fallback");
    if (std::find(backends.begin(), backends.end(), nullptr) != backends.end())
        throw std::invalid_argument("a coprocessor with a backend that is null");
    if (options.queue_capacity < 1) throw std::invalid_argument("a coprocessor whose queue has no room");
    state_->options = std::move(options);
    backends.push_back(std::move(fallback));
    for (std::unique_ptr<Estimator>& estimator : backends)
        state_->add_backend(std::move(estimator));
    std::size_t lanes = 0;
    for (const MotionBackend& backend : state_->backends)
        lanes += static_cast<std::size_t>(backend.lanes);
    state_->threads.reserve(lanes); // A thread that runs needs its place.
    for (std::size_t i = 0; i < state_->backends.size(); ++i) {
        for (int lane = 0; lane < state_->backends[i].lanes; ++lane)
            state_->threads.push_back(
                start_thread("a thread for motion search", [state = state_.get(), i, lane] { state->work(i, lane); }));
    }
}

Coprocessor::~Coprocessor() = default;

void Coprocessor::prepare(const SearchParams& params, int width, int height) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i + 1 < state_->backends.size(); ++i) {
        if (state_->is_retired(i)) continue;
        threads.emplace_back([&, i] {
            try {
                state_->backends[i].estimator->prepare(params, width, height);
            } catch (...) {
                state_->retire(i, {}, std::current_exception());
            }
        });
    }
}

namespace {

MotionJob job_of(const MotionRequest& request, std::int64_t picture, const std::vector<int>& at_once, BlockRows rows,
                 std::shared_ptr<MotionAnswer> answer) {
    MotionJob job{.request = request, .picture = picture, .at_once = at_once, .answer = std::move(answer)};
    job.request.first_row = rows.first;
    job.request.end_row = rows.end;
    job.work = work_of(job.request);
    return job;
}

} // namespace

std::future<MotionResult> Coprocessor::submit(MotionRequest request, std::int64_t picture) {
    const std::vector<int> at_once = state_->at_once(request);
    const std::vector<BlockRows> bands = cut_rows(rows_of(request), state_->bands_for(request, at_once));
    const auto answer = std::make_shared<MotionAnswer>(bands.size());
    std::future<MotionResult> future = answer->future();
    std::list<MotionJob> jobs;
    for (const BlockRows& rows : bands)
        jobs.push_back(job_of(request, picture, at_once, rows, answer));
    state_->enqueue(std::move(jobs));
    return future;
}

std::vector<MotionBand> Coprocessor::submit_bands(const MotionRequest& request, int bands, std::int64_t picture) {
    const std::vector<int> at_once = state_->at_once(request);
    std::vector<MotionBand> futures;
    for (const BlockRows& rows : cut_rows(rows_of(request), bands)) {
        std::list<MotionJob> alone;
        alone.push_back(job_of(request, picture, at_once, rows, std::make_shared<MotionAnswer>(1)));
        futures.push_back({rows.first, rows.end, alone.front().answer->future()});
        state_->enqueue(std::move(alone));
    }
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

void add_backends(std::string& names, std::string_view more) {
    const auto between_separators = [](std::string_view text) {
        return std::string(backend_separator).append(text).append(backend_separator);
    };
    while (!more.empty()) {
        const std::string_view name = more.substr(0, more.find(backend_separator));
        more.remove_prefix(std::min(more.size(), name.size() + backend_separator.size()));
        if (between_separators(names).find(between_separators(name)) != std::string::npos) continue;
        if (!names.empty()) names += backend_separator;
        names += name;
    }
}

} // namespace tandem
