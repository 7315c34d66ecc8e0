// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/gpu_coding_devices.h"

#include "coding/mpeg/sharing_backend.h"
#include "cuda/coding/cuda_mpeg_backend.h"
#include "cuda/costs/cuda_cost_meter.h"
#include "cuda/filter/cuda_picture_filter.h"

namespace tandem {

namespace {

std::vector<cuda::DeviceInfo> usable_devices(const std::vector<int>& wanted) {
    std::vector<cuda::DeviceInfo> devices = cuda::list_devices().devices;
    std::erase_if(devices, [&](const cuda::DeviceInfo& device) {
        return !cuda::is_wanted(device, wanted) || !cuda::why_unusable(device).empty();
    });
    return devices;
}

} // namespace

std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted) {
    std::vector<std::unique_ptr<MpegBackend>> backends;
    for (const cuda::DeviceInfo& device : usable_devices(wanted))
        backends.push_back(std::make_unique<cuda::CudaMpegBackend>(device, tools));
    if (backends.empty()) return nullptr;
    return backends.size() == 1 ? std::move(backends.front()) : make_sharing_backend(tools, std::move(backends));
}

std::unique_ptr<CostMeter> make_gpu_cost_meter(const std::vector<int>& wanted) {
    const std::vector<cuda::DeviceInfo> devices = usable_devices(wanted);
    return devices.empty() ? nullptr : std::make_unique<cuda::CudaCostMeter>(devices.back());
}

std::unique_ptr<PictureFilter> make_gpu_picture_filter(const std::vector<int>& wanted) {
    const std::vector<cuda::DeviceInfo> devices = usable_devices(wanted);
    return devices.empty() ? nullptr : std::make_unique<cuda::CudaPictureFilter>(devices.back());
}

} // namespace tandem
