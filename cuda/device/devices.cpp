// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/devices.h"

#include <cuda_runtime_api.h>

#include <cstdlib>

#include "cuda/device/no_device_reason.h"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

DeviceInfo describe(int ordinal) {
    DeviceInfo info;
    info.ordinal = ordinal;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess) {
        info.name = properties.name;
        info.memory = properties.totalGlobalMem;
        info.major = properties.major;
        info.minor = properties.minor;
        info.multiprocessors = properties.multiProcessorCount;
    }
    static_cast<void>(cudaGetLastError());
    return info;
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
    return list;
}

std::string why_unusable(const DeviceInfo& device) {
    cudaError_t result = cudaSetDevice(device.ordinal);
    if (result == cudaSuccess) result = kernels_for_this_device();
    static_cast<void>(cudaGetLastError());
    if (result == cudaErrorNoKernelImageForDevice)
        return no_code_reason(device.major, device.minor, TANDEM_CUDA_ARCHITECTURES);
    return result == cudaSuccess ? "" : cudaGetErrorString(result);
}

} // namespace tandem::cuda
