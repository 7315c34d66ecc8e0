// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/cuda_estimator.h"

#include <algorithm>

#include "cuda/kernels.h"
#include "me/search/neighbours.h"
#include "video/errors.h"

namespace tandem::cuda {

namespace {

/// On the smallest level of a pyramid a warp measures every vector of a block.
constexpr int most_range_of_top_level = 128;

} // namespace

/// A lane for as long as one search runs.
class CudaEstimator::Loan {
  public:
    explicit Loan(CudaEstimator& owner) : owner_(owner) {
        std::unique_lock lock(owner.mutex_);
        owner.lane_is_free_.wait(lock, [&] { return !owner.free_lanes_.empty() || owner.lanes_ < most_lanes; });
        if (owner.free_lanes_.empty()) {
            lane_ = std::make_unique<SearchLane>(owner.frames_);
            owner.free_lanes_.reserve(most_lanes);
            ++owner.lanes_;
        } else {
            lane_ = std::move(owner.free_lanes_.back());
            owner.free_lanes_.pop_back();
        }
    }
    ~Loan() {
        {
            const std::lock_guard lock(owner_.mutex_);
            owner_.free_lanes_.push_back(std::move(lane_));
        }
        owner_.lane_is_free_.notify_one();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    SearchLane& lane() { return *lane_; }

  private:
    CudaEstimator& owner_;
    std::unique_ptr<SearchLane> lane_;
};

CudaEstimator::CudaEstimator(const DeviceInfo& device, Matrices matrices) : device_(device) {
    use_device(device_.ordinal);
    if (has_integer_matrices()) frames_->matrices = matrices;
    const Loan first(*this); // Shows at once whether the device can be used.
}

std::string CudaEstimator::name() const { return "gpu:" + std::to_string(device_.ordinal) + " " + device_.name; }

bool CudaEstimator::supports(const SearchParams& params) const {
    if (!params.validate().empty() || params.interpolation == Interpolation::six_tap) return false;
    if (params.planes != Planes::luma) return false;
    if (params.interpolation == Interpolation::texture) {
        // Peaks are measured by the packed arithmetic, and so are further candidates of a grid.
        if (params.algorithm == Algorithm::phase || (params.grid > 1 && params.candidates > 1)) return false;
    }
    switch (params.algorithm) {
    case Algorithm::full:
        return params.grid * (params.range_x + params.range_y) <= farthest_position;
    case Algorithm::three_step:
    case Algorithm::logarithmic:
    case Algorithm::diamond:
    case Algorithm::hexagon:
        return true;
    case Algorithm::smpuhex:
        return params.block_order == BlockOrder::passes;
    case Algorithm::hierarchical:
        return std::max(params.range_x, params.range_y) >> (params.levels - 1) <= most_range_of_top_level;
    case Algorithm::phase:
        return has_device_fourier();
    default:
        return false;
    }
}

MotionField CudaEstimator::estimate(const MotionRequest& request) {
    if (request.params.predictor != Predictor::neighbours) return search(request);
    // The first of two passes finds the vectors whose medians the second one is measured against.
    const RowBand band = wanted_rows(request, empty_field(request));
    MotionRequest pass = request;
    pass.params.predictor = Predictor::hint;
    pass.params.candidates = 1;
    pass.first_row = std::max(band.first - 1, 0); // A median looks at the row above.
    const MotionField before = search(pass);
    pass.params.candidates = request.params.candidates;
    pass.first_row = band.first;
    pass.hint = std::make_shared<MotionField>(medians_of_neighbours(before, band.first, band.end));
    return search(pass);
}

MotionField CudaEstimator::search(const MotionRequest& request) {
    MotionField field = empty_field(request);
    const RowBand band = wanted_rows(request, field);
    if (!supports(request.params)) throw InputError(name() + " does not run this motion search");
    try {
        use_device(device_.ordinal);
        Loan loan(*this);
        loan.lane().search(request, band, field);
    } catch (const RunError& error) {
        throw RunError("gpu:" + std::to_string(device_.ordinal) + ": " + error.what());
    }
    return field;
}

} // namespace tandem::cuda
