// SPDX-License-Identifier: BSD-2-Clause
// In a build without CUDA the CPU does everything.
#include "cuda/gpu_coding_devices.h"

namespace tandem {

std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools&, const std::vector<int>&) { return nullptr; }
std::unique_ptr<CostMeter> make_gpu_cost_meter(const std::vector<int>&) { return nullptr; }
std::unique_ptr<PictureFilter> make_gpu_picture_filter(const std::vector<int>&) { return nullptr; }

} // namespace tandem
