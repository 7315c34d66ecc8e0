// SPDX-License-Identifier: BSD-2-Clause
// The walk that parameters ask for, which the CPU (search/patterns.cpp) and the GPU (cuda/walk/walk.cu) run.
#pragma once

#include "me/search/pattern.h"
#include "me/search_params.h"

namespace tandem {

/// The walk of a search whose row has one, with its first steps: those of SearchParams::first_step, or where that is 0
/// half the range, rounded up, for steps that halve (Koga's 4, 2, 1 for a range of 7), and the least m for which
/// m + (m-1) + ... + 1 reaches the whole range for those that fall by one. A patient walk has one step for both axes.
Walk walk_of(const SearchParams& params);

} // namespace tandem
