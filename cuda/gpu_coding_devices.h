// SPDX-License-Identifier: BSD-2-Clause
// GPUs for CodingDevices: linked from cuda/ in every build.
//
// `wanted` are GPUs by number; empty: all. What is made is null where none of them is usable, or CUDA was not built in.
// Throws RunError where a device fails at once.
#pragma once

#include <memory>
#include <vector>

#include "coding/costs/cost_meter.h"
#include "coding/filter/picture_filter.h"
#include "coding/mpeg/mpeg_backend.h"

namespace tandem {

/// All usable ones, which share the pictures.
std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools& tools, const std::vector<int>& wanted);
/// The last usable one, since the first makes references that others wait for.
std::unique_ptr<CostMeter> make_gpu_cost_meter(const std::vector<int>& wanted);
/// The last usable one, too.
std::unique_ptr<PictureFilter> make_gpu_picture_filter(const std::vector<int>& wanted);

} // namespace tandem
