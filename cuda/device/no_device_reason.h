// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tandem::cuda {

/// "13.0" for 13000.
std::string version_text(int version);

/// What the runtime said when it was asked for devices.
enum class DeviceAnswer { none, driver_insufficient, failed };

/// Why there is no device, in one line. `visible_devices` is the environment's CUDA_VISIBLE_DEVICES or null,
/// `message` the runtime's own words.
std::string no_device_reason(DeviceAnswer answer, int driver_version, int runtime_version, const char* visible_devices,
                             const std::string& message);

/// Why a device of this compute capability cannot be used: `architectures` is what this build has code for, in CMake's
/// words: "90-real", "75-real,100" (without a suffix: code and PTX, which newer devices can use too), "120-virtual".
std::string no_code_reason(int major, int minor, const std::string& architectures);

} // namespace tandem::cuda
