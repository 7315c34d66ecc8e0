// SPDX-License-Identifier: BSD-2-Clause
// The GPUs of this machine, and why there are none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tandem::cuda {

struct DeviceInfo {
    int ordinal = 0; ///< As in "gpu:0".
    std::string name;
    std::size_t memory = 0;   ///< Bytes.
    int major = 0, minor = 0; ///< Compute capability.
    int multiprocessors = 0;
};

/// As messages name it: "gpu:0 NVIDIA H200".
inline std::string name_of(const DeviceInfo& device) {
    return "gpu:" + std::to_string(device.ordinal) + " " + device.name;
}

/// Whether a device is among those that somebody wants, by number; empty: all.
inline bool is_wanted(const DeviceInfo& device, const std::vector<int>& wanted) {
    return wanted.empty() || std::ranges::find(wanted, device.ordinal) != wanted.end();
}

struct DeviceList {
    std::vector<DeviceInfo> devices;
    int driver_version = 0;  ///< Of CUDA that the driver supports, as 13000; 0 without a driver.
    int runtime_version = 0; ///< Of CUDA that this build brings with it; 0 in a build without.
    std::string why_none;    ///< One line where there are no devices, else empty.
};

/// Never throws for what the machine lacks. Opens no device.
DeviceList list_devices();

/// Why this build cannot search on the device, in one line; empty where it can. Opens the device and makes it the
/// calling thread's.
std::string why_unusable(const DeviceInfo& device);

} // namespace tandem::cuda
