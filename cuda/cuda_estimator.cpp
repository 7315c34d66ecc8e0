// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/cuda_estimator.h"

#include <algorithm>
#include <iterator>

#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/requests/device_search.h"
#include "cuda/requests/request_task.h"
#include "cuda/sizes/sizes_plan.h"
#include "machine/errors.h"

namespace tandem::cuda {

namespace {

/// A number of pictures that DeviceSearch says of the task; 1 where no such searches can go together.
using PicturesOf = int (*DeviceSearch::*)(const SearchTask& task);
int pictures_together(const SearchParams& params, const SearchTask& task, PicturesOf number) {
    if (params.predictor == Predictor::neighbours || params.interpolation != Interpolation::bilinear) return 1;
    const auto of_task = device_search(params)->*number;
    return of_task == nullptr ? 1 : of_task(task);
}

} // namespace

/// A workspace for as long as one search runs.
class CudaEstimator::Loan {
  public:
    explicit Loan(CudaEstimator& owner) : owner_(owner) {
        std::unique_lock lock(owner.mutex_);
        owner.workspace_is_free_.wait(
            lock, [&] { return !owner.free_workspaces_.empty() || owner.workspaces_ < most_workspaces; });
        if (owner.free_workspaces_.empty()) {
            workspace_ = std::make_unique<SearchWorkspace>(owner.frames_);
            owner.free_workspaces_.reserve(most_workspaces);
            ++owner.workspaces_;
        } else {
            workspace_ = std::move(owner.free_workspaces_.back());
            owner.free_workspaces_.pop_back();
        }
    }
    ~Loan() {
        {
            const std::lock_guard lock(owner_.mutex_);
            owner_.free_workspaces_.push_back(std::move(workspace_));
        }
        owner_.workspace_is_free_.notify_one();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    SearchWorkspace& workspace() { return *workspace_; }

  private:
    CudaEstimator& owner_;
    std::unique_ptr<SearchWorkspace> workspace_;
};

template <class WithLane> void CudaEstimator::on_device(WithLane with_workspace) {
    try {
        use_device(device_.ordinal);
        Loan loan(*this);
        try {
            with_workspace(loan.workspace());
        } catch (const OutOfMemory&) {
            // What is kept for later requests makes room, once.
            frames_->clear();
            with_workspace(loan.workspace());
        }
    } catch (const RunError& error) {
        throw RunError("gpu:" + std::to_string(device_.ordinal) + ": " + error.what());
    }
}

CudaEstimator::CudaEstimator(const DeviceInfo& device, Matrices matrices)
    : device_(device), freed_memory_(device.ordinal) {
    use_device(device_.ordinal);
    if (has_integer_matrices()) frames_->matrices = matrices;
    const Loan first(*this); // Shows at once whether the device can be used.
}

std::string CudaEstimator::name() const { return name_of(device_); }

bool CudaEstimator::supports(const SearchParams& params) const {
    if (!params.validate().empty() || params.interpolation == Interpolation::six_tap) return false;
    if (params.planes != Planes::luma || !has_kernels(params.metric)) return false;
    if (params.interpolation == Interpolation::texture) {
        // Peaks are measured by the packed arithmetic, and so are further candidates of a grid.
        if (params.algorithm == Algorithm::phase || (params.grid > 1 && params.candidates > 1)) return false;
    }
    const DeviceSearch* const search = device_search(params);
    return search != nullptr && search->supports(params);
}

/// Whatever the search is called: nothing is searched.
bool CudaEstimator::refines(const SearchParams& params) const {
    return params.validate().empty() && params.interpolation == Interpolation::bilinear &&
           params.planes == Planes::luma && has_kernels(params.metric);
}

/// A search on each workspace: its kernels are loaded then, and its memory is there.
void CudaEstimator::prepare(const SearchParams& params, int width, int height) {
    if (!supports(params)) return;
    const std::lock_guard alone(preparing_);
    const auto blank = [&] {
        auto frame = std::make_shared<Frame>(width, height);
        frame->plane(0).fill(128);
        return frame;
    };
    const std::vector<MotionRequest> requests(2, {blank(), blank(), params, nullptr});
    std::vector<MotionField> fields(2, empty_field(requests.front()));
    const BlockRows band = wanted_rows(requests.front(), fields.front());
    const bool together = most_at_once(params, width, height) > 1;
    on_device([&](SearchWorkspace& first) {
        std::vector<std::unique_ptr<Loan>> others;
        for (int i = 1; i < most_workspaces; ++i)
            others.push_back(std::make_unique<Loan>(*this));
        const auto search = [&](SearchWorkspace& workspace) {
            workspace.search(requests.front(), band, fields.front());
            if (together) workspace.search_batch(requests, band, fields);
        };
        search(first);
        for (const auto& other : others)
            search(other->workspace());
    });
}

MotionField CudaEstimator::estimate(const MotionRequest& request) {
    if (request.params.predictor != Predictor::neighbours) return search(request);
    return search_in_two_passes(request, [&](const MotionRequest& pass) { return search(pass); });
}

MotionField CudaEstimator::search(const MotionRequest& request) {
    MotionField field = empty_field(request);
    const BlockRows band = wanted_rows(request, field);
    if (!(request.start ? refines(request.params) : supports(request.params)))
        throw InputError(name() + " does not run this motion search");
    on_device([&](SearchWorkspace& workspace) { workspace.search(request, band, field); });
    return field;
}

int CudaEstimator::most_at_once(const SearchParams& params, int width, int height) const {
    if (!supports(params) || width < 1 || height < 1) return 1;
    const BlockRows all{0, blocks_along(height, params.block_height)};
    const SearchTask task = task_of(params, width, height, all);
    return pictures_together(params, task, &DeviceSearch::pictures_at_once);
}

std::vector<MotionField> CudaEstimator::estimate_batch(std::span<const MotionRequest> requests) {
    const auto like_the_first = [&](const MotionRequest& request) { return alike(request, requests.front()); };
    if (requests.size() < 2 || !std::ranges::all_of(requests, like_the_first) || !supports(requests.front().params))
        return Estimator::estimate_batch(requests);
    const Frame& picture = *requests.front().current;
    const BlockRows all{0, blocks_along(picture.height(), requests.front().params.block_height)};
    const SearchTask task = task_of(requests.front().params, picture.width(), picture.height(), all);
    const auto most =
        static_cast<std::size_t>(pictures_together(requests.front().params, task, &DeviceSearch::most_pictures));
    if (most == 1) return Estimator::estimate_batch(requests);
    std::vector<MotionField> fields;
    for (std::size_t first = 0; first < requests.size(); first += most) {
        auto found = search_together(requests.subspan(first, std::min(most, requests.size() - first)));
        std::ranges::move(found, std::back_inserter(fields));
    }
    return fields;
}

std::vector<MotionField> CudaEstimator::search_together(std::span<const MotionRequest> requests) {
    std::vector<MotionField> fields;
    for (const MotionRequest& request : requests)
        fields.push_back(empty_field(request));
    const BlockRows band = wanted_rows(requests.front(), fields.front());
    bool together = true;
    on_device([&](SearchWorkspace& workspace) { together = workspace.search_batch(requests, band, fields); });
    return together ? fields : Estimator::estimate_batch(requests);
}

std::vector<MotionField> CudaEstimator::estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) {
    const std::vector<MotionRequest> requests = requests_of_sizes(request, sizes);
    if (!sizes_in_one_pass(request.params, request.hint != nullptr, sizes) || !supports(requests.front().params))
        return Estimator::estimate_sizes(request, sizes);
    std::vector<MotionField> fields;
    for (const MotionRequest& one : requests)
        fields.push_back(empty_field(one));
    on_device([&](SearchWorkspace& workspace) { workspace.search_sizes(request, fields); });
    return fields;
}

} // namespace tandem::cuda
