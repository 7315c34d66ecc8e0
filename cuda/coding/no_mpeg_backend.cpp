// SPDX-License-Identifier: BSD-2-Clause
// A build without CUDA codes on the CPU.
#include "cuda/coding/gpu_mpeg_backend.h"

namespace tandem {

std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools&, const std::vector<int>&) { return nullptr; }

} // namespace tandem
