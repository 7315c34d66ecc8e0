// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/no_device_reason.h"

#include "cuda/devices.h"

namespace tandem::cuda {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string no_device_reason(DeviceAnswer answer, int driver_version, int runtime_version, const char* visible_devices,
                             const std::string& message) {
    if (driver_version == 0) return "no NVIDIA driver is installed";
    if (answer == DeviceAnswer::driver_insufficient) {
        return "the NVIDIA driver is too old: it supports CUDA " + version_text(driver_version) +
               ", this build needs CUDA " + version_text(runtime_version);
    }
    if (answer == DeviceAnswer::failed) return "the NVIDIA driver gave no device: " + message;
    if (visible_devices != nullptr) {
        return "CUDA_VISIBLE_DEVICES=\"" + std::string(visible_devices) + "\" shows no NVIDIA GPU";
    }
    return "no NVIDIA GPU is installed";
}

} // namespace tandem::cuda
