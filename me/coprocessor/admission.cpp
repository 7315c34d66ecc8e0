// SPDX-License-Identifier: BSD-2-Clause
// How requests come in: which backends may run them, into which bands they are cut, and when there is room.
#include <algorithm>
#include <utility>

#include "machine/errors.h"
#include "me/coprocessor/coprocessor_state.h"

namespace tandem {

namespace {

int width_of(const MotionRequest& request) { return request.current ? request.current->width() : 0; }
int height_of(const MotionRequest& request) { return request.current ? request.current->height() : 0; }

/// The parameters of each block size of a request.
std::vector<SearchParams> params_of(const MotionRequest& request) {
    std::vector<SearchParams> all(std::max<std::size_t>(request.sizes.size(), 1), request.params);
    for (std::size_t i = 0; i < request.sizes.size(); ++i) {
        all[i].block_width = request.sizes[i].width;
        all[i].block_height = request.sizes[i].height;
    }
    return all;
}

/// How many requests like this one the estimator takes at a time; 0: it does not run them.
int most_at_once(const Estimator& estimator, const MotionRequest& request) {
    if (request.start) return estimator.refines(request.params) ? 1 : 0;
    const auto runs = [&](const SearchParams& params) { return estimator.supports(params); };
    if (!std::ranges::all_of(params_of(request), runs)) return 0;
    if (!request.sizes.empty()) return 1;
    return std::max(1, estimator.most_at_once(request.params, width_of(request), height_of(request)));
}

/// Whether backends that take one take the other.
bool ask_alike(const MotionRequest& a, const MotionRequest& b) {
    return a.params == b.params && a.sizes == b.sizes && (a.start == nullptr) == (b.start == nullptr) &&
           width_of(a) == width_of(b) && height_of(a) == height_of(b);
}

} // namespace

/// Lets a newcomer run what came before it.
void CoprocessorState::offer_what_waits(std::size_t newcomer) {
    std::vector<MotionRequest> requests;
    {
        const std::lock_guard lock(mutex);
        for (const MotionJob& job : queue)
            requests.push_back(job.request);
    }
    for (const MotionRequest& request : requests) {
        const int most = most_at_once(*backends[newcomer].estimator, request);
        const std::lock_guard lock(mutex);
        for (MotionJob& job : queue) {
            if (job.at_once.size() > newcomer || !ask_alike(job.request, request)) continue;
            job.at_once.resize(newcomer + 1);
            job.at_once[newcomer] = most;
        }
        wake_workers();
    }
}

/// MotionJob::at_once of a request, asked afresh.
std::vector<int> CoprocessorState::ask_backends(const MotionRequest& request) const {
    std::vector<int> most(count());
    for (std::size_t index = 0; index < most.size(); ++index)
        most[index] = most_at_once(*backends[index].estimator, request);
    if (std::ranges::count(most, 0) < std::ssize(most)) return most;
    std::string problem;
    for (const SearchParams& params : params_of(request))
        if (const auto problems = params.validate(); problem.empty() && !problems.empty())
            problem = ": " + problems.front();
    throw InputError("no backend runs this motion search" + problem);
}

/// MotionJob::at_once of a request.
std::vector<int> CoprocessorState::at_once(const MotionRequest& request) const {
    if (request.start || !request.sizes.empty()) return ask_backends(request);
    AskedBefore asked{request.params, width_of(request), height_of(request), {}};
    {
        const std::lock_guard lock(mutex);
        if (asked_before && asked_before->at_once.size() == backends.size() && asked_before->params == asked.params &&
            asked_before->width == asked.width && asked_before->height == asked.height)
            return asked_before->at_once;
    }
    asked.at_once = ask_backends(request);
    const std::lock_guard lock(mutex);
    asked_before = asked;
    return asked.at_once;
}

/// How many bands a request is cut into that is queued `together` with so many, itself included.
int CoprocessorState::bands_for(const MotionRequest& request, const std::vector<int>& at_once,
                                std::size_t together) const {
    if (options.split == Split::pictures || !request.sizes.empty()) return 1;
    const std::lock_guard lock(mutex);
    int takers = 0;
    std::size_t under_way = queue.size();
    for (std::size_t index = 0; index < at_once.size(); ++index) {
        const bool shares = !is_fallback(index) || options.fallback_shares;
        if (backends[index].retired) continue;
        takers += shares && at_once[index] > 0 ? 1 : 0;
        under_way += static_cast<std::size_t>(backends[index].busy());
    }
    if (options.split == Split::bands) return takers;
    // In raster order the rows above a band are searched once more for it.
    const bool is_serial =
        request.params.algorithm == Algorithm::smpuhex && request.params.block_order == BlockOrder::raster;
    return is_serial || under_way + together >= static_cast<std::size_t>(takers) ? 1 : takers;
}

std::list<MotionJob> CoprocessorState::jobs_of(const MotionRequest& request, std::int64_t picture, std::size_t together,
                                               const std::shared_ptr<MotionAnswer>& answer) const {
    const std::vector<int> able = at_once(request);
    const std::vector<BlockRows> bands = cut_rows(rows_of(request), bands_for(request, able, together));
    std::list<MotionJob> jobs;
    for (const BlockRows& rows : bands) {
        MotionJob& job = jobs.emplace_back();
        job.request = request;
        job.picture = picture;
        job.at_once = able;
        job.answer = answer;
        if (request.sizes.empty()) {
            job.request.first_row = rows.first;
            job.request.end_row = rows.end;
        }
        job.work = work_of(job.request);
    }
    answer->expect(bands.size());
    return jobs;
}

/// Waits for room, then puts all of them in. Eight requests in a row have one home: each new device for a picture is
/// another upload of it. The bands of one request have homes of their own.
void CoprocessorState::enqueue(std::list<MotionJob> jobs) {
    std::unique_lock lock(mutex);
    room_made.wait(lock, [&] { return stopping || waiting < options.queue_capacity; });
    if (stopping) throw RunError(coprocessor_stopped);
    if (!std::ranges::all_of(jobs, [&](const MotionJob& job) { return has_taker(job); }))
        throw RunError("no backend that is left runs this motion search");
    waiting += jobs.size();
    const MotionAnswer* request = nullptr;
    std::size_t home = 0;
    for (MotionJob& job : jobs) {
        if (std::exchange(request, job.answer.get()) != job.answer.get()) home = submitted++ / 8;
        job.home = home++;
    }
    queue.splice(queue.end(), jobs);
    wake_workers();
}

} // namespace tandem
