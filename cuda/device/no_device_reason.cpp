// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/no_device_reason.h"

#include <sstream>

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

namespace {

/// "sm_90", "sm_100 and newer".
std::string architecture_text(const std::string& word) {
    const std::size_t dash = word.find('-');
    const std::string number = word.substr(0, dash);
    if (number.find_first_not_of("0123456789") != std::string::npos) return word; // "native", "all"
    return "sm_" + number + (dash != std::string::npos && word.substr(dash) == "-real" ? "" : " and newer");
}

} // namespace

std::string no_code_reason(int major, int minor, const std::string& architectures) {
    std::string list;
    std::istringstream words(architectures);
    for (std::string word; std::getline(words, word, ',');)
        list += (list.empty() ? "" : ", ") + architecture_text(word);
    return "this build has code for " + list + ", and the device is sm_" + std::to_string(major) +
           std::to_string(minor);
}

} // namespace tandem::cuda
