// SPDX-License-Identifier: BSD-2-Clause
#include "c/c_devices.h"

#include "machine/errors.h"

namespace tandem {

DeviceChoice device_choice(const std::string& device) {
    if (auto choice = device_named(device)) return *std::move(choice);
    throw InputError("device: '" + device + "' is none of " + std::string(device_words));
}

std::vector<std::unique_ptr<Estimator>> open_gpus(const DeviceChoice& choice, const std::string& device) {
    if (!choice.gpus) return {};
    std::string why_not;
    std::vector<std::unique_ptr<Estimator>> gpus = make_gpu_estimators(&why_not, choice.ordinals);
    const bool are_all_there = !gpus.empty() && gpus.size() >= choice.ordinals.size();
    if (choice.gpus_are_required && !are_all_there) throw RunError("device: '" + device + "': " + why_not);
    return gpus;
}

} // namespace tandem
