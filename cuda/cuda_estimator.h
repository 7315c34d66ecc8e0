// SPDX-License-Identifier: BSD-2-Clause
// The GPU behind me's Estimator.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cuda/device/devices.h"
#include "cuda/requests/search_workspace.h"
#include "me/estimator.h"

namespace tandem::cuda {

/// One device. estimate() may be called from several threads; each takes a workspace, and up to `most_workspaces`
/// overlap.
class CudaEstimator final : public Estimator {
  public:
    /// Throws RunError where the device cannot be used. `matrices`: of searches by SSD, where the device has them.
    explicit CudaEstimator(const DeviceInfo& device, Matrices matrices = Matrices::where_faster);

    std::string name() const override;
    bool supports(const SearchParams& params) const override;
    bool refines(const SearchParams& params) const override;
    int concurrency() const override { return most_workspaces; }
    void prepare(const SearchParams& params, int width, int height) override;
    MotionField estimate(const MotionRequest& request) override;
    int most_at_once(const SearchParams& params, int width, int height) const override;
    std::vector<MotionField> estimate_batch(std::span<const MotionRequest> requests) override;
    std::vector<MotionField> estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) override;

    static constexpr int most_workspaces = 4;

  private:
    class Loan;

    /// One pass, whose predictors are zero or the hint's vectors.
    MotionField search(const MotionRequest& request);
    /// Alike, at most as many as one launch can have.
    std::vector<MotionField> search_together(std::span<const MotionRequest> requests);
    /// Calls with_workspace(workspace) on the device, and names it in what goes wrong. Twice where memory was not
    /// enough.
    template <class WithLane> void on_device(WithLane with_workspace);

    DeviceInfo device_;
    KeptMemory freed_memory_;
    std::shared_ptr<DeviceFrames> frames_ = std::make_shared<DeviceFrames>();
    std::mutex preparing_; ///< Taken before mutex_; prepare() has all workspaces.
    std::mutex mutex_;     ///< Guards what follows.
    std::condition_variable workspace_is_free_;
    std::vector<std::unique_ptr<SearchWorkspace>> free_workspaces_;
    int workspaces_ = 0; ///< Made so far.
};

} // namespace tandem::cuda
