// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/cuda_estimator.h"
#include "video/errors.h"

namespace tandem {

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_none) {
    const cuda::DeviceList list = cuda::list_devices();
    std::string reason = list.why_none;
    std::vector<std::unique_ptr<Estimator>> estimators;
    for (const cuda::DeviceInfo& device : list.devices) {
        if (!device.why_unusable.empty()) continue;
        try {
            estimators.push_back(std::make_unique<cuda::CudaEstimator>(device));
        } catch (const RunError& error) {
            reason += (reason.empty() ? "" : "; ") + ("gpu:" + std::to_string(device.ordinal)) + ": " + error.what();
        }
    }
    if (why_none != nullptr) *why_none = estimators.empty() ? reason : std::string();
    return estimators;
}

} // namespace tandem
