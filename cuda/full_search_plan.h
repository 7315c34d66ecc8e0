// SPDX-License-Identifier: BSD-2-Clause
// How a full search is cut into threads. Nothing here needs a device.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/search_task.h"

namespace tandem::cuda {

struct FullSearchPlan {
    bool packed = false;        ///< By SAD's own kernels.
    bool several_tiles = false; ///< A block is larger than a tile.
    SadTile tile{4, 16};
    std::vector<int> first_lane;  ///< See FullSearchLayout.
    FullSearchLayout layout;      ///< But for the addresses.
    std::size_t keys_per_row = 0; ///< Of blocks.
    int rows_at_once = 0;         ///< Of blocks, so that their keys are at most what was asked for, or one.
};

/// `most_keys`: how many keys there should be in memory at once.
FullSearchPlan plan_full_search(const SearchTask& task, std::size_t most_keys);

/// The steps of a walking search (search/patterns.cpp).
StepSequence step_sequence(Algorithm algorithm, int range_x, int range_y);

} // namespace tandem::cuda
