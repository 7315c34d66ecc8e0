// SPDX-License-Identifier: BSD-2-Clause
// Launchers of full search of several block sizes; as those of kernels.h.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/sizes/sizes_plan.h"

namespace tandem::cuda {

/// The keys of the best vectors of all parts of the task's macroblocks, which are whole rows of a picture from the top;
/// without small_parts only of those from first_large_part on.
void launch_full_sizes(const SearchTask& task, const SizesLayout& layout, bool small_parts, cudaStream_t stream);

/// The fields' candidates from the keys.
void launch_write_sizes(const SearchTask& task, const SizesLayout& layout, const SizedFields& fields,
                        cudaStream_t stream);

} // namespace tandem::cuda
