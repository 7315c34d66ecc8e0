// SPDX-License-Identifier: BSD-2-Clause
// A build without CUDA: the same symbol, no devices.
#include "me/estimator.h"

namespace tandem {

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_none) {
    if (why_none != nullptr) *why_none = "this build has no CUDA";
    return {};
}

} // namespace tandem
