// SPDX-License-Identifier: BSD-2-Clause
// A build without CUDA: the same symbols, no devices.
#include "cuda/device/devices.h"
#include "me/estimator.h"

namespace tandem {

namespace {

constexpr const char* reason = "this build has no CUDA";

} // namespace

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_not, const std::vector<int>&) {
    if (why_not != nullptr) *why_not = reason;
    return {};
}

namespace cuda {

DeviceList list_devices() {
    DeviceList list;
    list.why_none = reason;
    return list;
}

std::string why_unusable(const DeviceInfo&) { return reason; }

} // namespace cuda

} // namespace tandem
