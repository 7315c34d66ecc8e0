// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "cuda/cuda_estimator.h"
#include "cuda/device/page_locked_samples.h"
#include "machine/errors.h"

namespace tandem {

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_not, const std::vector<int>& wanted) {
    const cuda::DeviceList list = cuda::list_devices();
    std::string reasons;
    std::vector<std::unique_ptr<Estimator>> estimators;
    for (const cuda::DeviceInfo& device : list.devices) {
        if (!cuda::is_wanted(device, wanted)) continue;
        std::string reason = cuda::why_unusable(device);
        try {
            if (reason.empty()) {
                estimators.push_back(std::make_unique<cuda::CudaEstimator>(device));
                if (estimators.size() == 1) cuda::lock_pages_of_new_planes(device.ordinal);
            }
        } catch (const RunError& error) {
            reason = error.what();
        }
        if (!reason.empty()) reasons += (reasons.empty() ? "" : "; ") + cuda::name_of(device) + ": " + reason;
    }
    for (const int ordinal : wanted) {
        if (std::ranges::find(list.devices, ordinal, &cuda::DeviceInfo::ordinal) == list.devices.end())
            reasons += (reasons.empty() ? "there is no gpu:" : "; there is no gpu:") + std::to_string(ordinal);
    }
    if (why_not != nullptr) *why_not = list.devices.empty() ? list.why_none : reasons;
    return estimators;
}

} // namespace tandem
