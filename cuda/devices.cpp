// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/devices.h"

#include <cuda_runtime_api.h>

#include <cstdlib>

#include "cuda/kernels.h"
#include "cuda/no_device_reason.h"

namespace tandem::cuda {

namespace {

DeviceInfo describe(int ordinal) {
    DeviceInfo info;
    info.ordinal = ordinal;
    cudaDeviceProp properties{};
    if (const cudaError_t result = cudaGetDeviceProperties(&properties, ordinal); result != cudaSuccess) {
        info.why_unusable = cudaGetErrorString(result);
        return info;
    }
    info.name = properties.name;
    info.memory = properties.totalGlobalMem;
    info.major = properties.major;
    info.minor = properties.minor;
    info.multiprocessors = properties.multiProcessorCount;
    cudaError_t result = cudaSetDevice(ordinal);
    if (result == cudaSuccess) result = kernels_for_this_device();
    if (result == cudaErrorNoKernelImageForDevice)
        info.why_unusable = no_code_reason(info.major, info.minor, TANDEM_CUDA_ARCHITECTURES);
    else if (result != cudaSuccess)
        info.why_unusable = cudaGetErrorString(result);
    static_cast<void>(cudaGetLastError());
    return info;
}

/// "gpu:0 NAME: why; gpu:1 NAME: why" where no device can be used.
std::string why_all_unusable(const std::vector<DeviceInfo>& devices) {
    std::string reasons;
    for (const DeviceInfo& device : devices) {
        if (device.why_unusable.empty()) return {};
        reasons += (reasons.empty() ? "" : "; ") + ("gpu:" + std::to_string(device.ordinal) + " " + device.name) +
                   ": " + device.why_unusable;
    }
    return reasons;
}

} // namespace

DeviceList list_devices() {
    DeviceList list;
    static_cast<void>(cudaDriverGetVersion(&list.driver_version));
    static_cast<void>(cudaRuntimeGetVersion(&list.runtime_version));
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    if (result != cudaSuccess || count == 0) {
        const DeviceAnswer answer = result == cudaErrorInsufficientDriver ? DeviceAnswer::driver_insufficient
                                    : result == cudaSuccess || result == cudaErrorNoDevice ? DeviceAnswer::none
                                                                                           : DeviceAnswer::failed;
        list.why_none = no_device_reason(answer, list.driver_version, list.runtime_version,
                                         std::getenv("CUDA_VISIBLE_DEVICES"), cudaGetErrorString(result));
        return list;
    }
    for (int ordinal = 0; ordinal < count; ++ordinal)
        list.devices.push_back(describe(ordinal));
    list.why_none = why_all_unusable(list.devices);
    return list;
}

} // namespace tandem::cuda
