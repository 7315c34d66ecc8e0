// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <future>

#include "cuda/cuda_estimator.h"
#include "cuda/device/page_locked_samples.h"
#include "machine/errors.h"

namespace tandem {

namespace {

/// A device and what came of opening it.
struct Opening {
    cuda::DeviceInfo device;
    std::unique_ptr<Estimator> estimator;
    std::string why_not;

    void open() {
        why_not = cuda::why_unusable(device);
        if (!why_not.empty()) return;
        try {
            estimator = std::make_unique<cuda::CudaEstimator>(device);
        } catch (const RunError& error) {
            why_not = error.what();
        }
    }
};

/// Beside each other, since each takes tenths of a second.
std::vector<Opening> open_all(const std::vector<cuda::DeviceInfo>& devices, const std::vector<int>& wanted) {
    std::vector<Opening> openings;
    for (const cuda::DeviceInfo& device : devices)
        if (cuda::is_wanted(device, wanted)) openings.push_back({device, nullptr, {}});
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < openings.size(); ++i)
        others.push_back(std::async(std::launch::async, &Opening::open, &openings[i]));
    if (!openings.empty()) openings.front().open();
    for (std::future<void>& other : others)
        other.get();
    return openings;
}

} // namespace

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_not, const std::vector<int>& wanted) {
    const cuda::DeviceList list = cuda::list_devices();
    std::string reasons;
    std::vector<std::unique_ptr<Estimator>> estimators;
    for (Opening& opening : open_all(list.devices, wanted)) {
        if (!opening.estimator) {
            reasons += (reasons.empty() ? "" : "; ") + cuda::name_of(opening.device) + ": " + opening.why_not;
            continue;
        }
        if (estimators.empty()) cuda::lock_pages_of_new_planes(opening.device.ordinal);
        estimators.push_back(std::move(opening.estimator));
    }
    for (const int ordinal : wanted) {
        if (std::ranges::find(list.devices, ordinal, &cuda::DeviceInfo::ordinal) == list.devices.end())
            reasons += (reasons.empty() ? "there is no gpu:" : "; there is no gpu:") + std::to_string(ordinal);
    }
    if (why_not != nullptr) *why_not = list.devices.empty() ? list.why_none : reasons;
    return estimators;
}

} // namespace tandem
