// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion_devices.h"

#include <spdlog/spdlog.h>

namespace tandem {

std::vector<std::unique_ptr<Estimator>> open_devices(bool use_gpus) {
    std::string why_none = "as --device cpu asks";
    std::vector<std::unique_ptr<Estimator>> devices;
    if (use_gpus) devices = make_gpu_estimators(&why_none);
    if (devices.empty()) spdlog::info("motion on the CPU ({})", why_none);
    for (const auto& device : devices)
        spdlog::info("motion on {}", device->name());
    return devices;
}

} // namespace tandem
