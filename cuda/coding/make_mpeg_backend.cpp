// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "cuda/coding/cuda_mpeg_backend.h"
#include "cuda/coding/gpu_mpeg_backend.h"

namespace tandem {

std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted,
                                                   bool cpu_reads) {
    for (const cuda::DeviceInfo& device : cuda::list_devices().devices) {
        const bool is_wanted = wanted.empty() || std::ranges::find(wanted, device.ordinal) != wanted.end();
        if (is_wanted && cuda::why_unusable(device).empty())
            return std::make_unique<cuda::CudaMpegBackend>(device, tools, cpu_reads);
    }
    return nullptr;
}

} // namespace tandem
