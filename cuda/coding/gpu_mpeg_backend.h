// SPDX-License-Identifier: BSD-2-Clause
// A GPU that codes whole MPEG pictures: linked from cuda/ in every build.
#pragma once

#include <memory>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"

namespace tandem {

/// The backend of the first usable device of those wanted (by number; empty: all); null where there is none, or CUDA
/// was not built in. `cpu_reads`: the CPU, too, codes pictures from the references that the device makes. Throws
/// RunError where the device fails at once.
std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted,
                                                   bool cpu_reads);

} // namespace tandem
