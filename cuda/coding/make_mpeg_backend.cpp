// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "coding/mpeg/sharing_backend.h"
#include "cuda/coding/cuda_mpeg_backend.h"
#include "cuda/coding/gpu_mpeg_backend.h"

namespace tandem {

std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted) {
    std::vector<std::unique_ptr<MpegBackend>> backends;
    for (const cuda::DeviceInfo& device : cuda::list_devices().devices) {
        const bool is_wanted = wanted.empty() || std::ranges::find(wanted, device.ordinal) != wanted.end();
        if (is_wanted && cuda::why_unusable(device).empty())
            backends.push_back(std::make_unique<cuda::CudaMpegBackend>(device, tools));
    }
    if (backends.empty()) return nullptr;
    return backends.size() == 1 ? std::move(backends.front()) : make_sharing_backend(tools, std::move(backends));
}

} // namespace tandem
