// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tandem::cuda {

/// What the runtime said when it was asked for devices.
enum class DeviceAnswer { none, driver_insufficient, failed };

/// Why there is no device, in one line. `visible_devices` is the environment's CUDA_VISIBLE_DEVICES or null,
/// `message` the runtime's own words.
std::string no_device_reason(DeviceAnswer answer, int driver_version, int runtime_version, const char* visible_devices,
                             const std::string& message);

} // namespace tandem::cuda
