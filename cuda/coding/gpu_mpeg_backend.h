// SPDX-License-Identifier: BSD-2-Clause
// A GPU that codes whole MPEG pictures: linked from cuda/ in every build.
#pragma once

#include <memory>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"

namespace tandem {

/// The backend of all usable devices of those wanted (by number; empty: all), which share the pictures; null where
/// there is none, or CUDA was not built in. Throws RunError where a device fails at once.
std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted);

} // namespace tandem
