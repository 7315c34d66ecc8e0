// SPDX-License-Identifier: BSD-2-Clause
// The devices that callers of the C interface name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "me/coprocessor/device_choice.h"
#include "me/estimator.h"

namespace tandem {

/// Throws InputError for what names no devices.
DeviceChoice device_choice(const std::string& device);

/// The GPUs that the choice names: all of them, or RunError with the reason.
std::vector<std::unique_ptr<Estimator>> open_gpus(const DeviceChoice& choice, const std::string& device);

} // namespace tandem
