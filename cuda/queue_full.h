// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cuda/full_search_plan.h"
#include "cuda/handles.h"

namespace tandem::cuda {

/// Queues the kernels of the plan's first step, and of all others that a full search needs after it.
void queue_full_sweep(const SearchTask& task, const FullSearchPlan& plan, Stream& stream);
void queue_full(const SearchTask& task, const FullSearchPlan& plan, Stream& stream);

} // namespace tandem::cuda
