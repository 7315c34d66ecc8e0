// SPDX-License-Identifier: BSD-2-Clause
// What a request means for the kernels. Nothing here needs a device.
#pragma once

#include <span>

#include "cuda/requests/search_task.h"
#include "me/coprocessor/backend.h"

namespace tandem::cuda {

/// The search of a band of pictures of this size, but for all addresses.
SearchTask task_of(const SearchParams& params, int width, int height, const BlockRows& band);

/// The candidates of the band's blocks, which lie together.
std::span<Candidate> slots_of(MotionField& field, const BlockRows& band);

/// What the rates of the band's blocks are measured against: the hint's vectors, zero where it has none, or is null.
void copy_predictors(const MotionField* hint, const BlockRows& band, std::span<Mv> predictors);

} // namespace tandem::cuda
