// SPDX-License-Identifier: BSD-2-Clause
// How a full search is cut into threads. Nothing here needs a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/search_task.h"

namespace tandem::cuda {

struct FullSearchPlan {
    /// Which kernels: sweeps over blocks of one tile, of several, products of matrices, or those for anything.
    enum class Kind { sweep, sweep_tiles, correlation, any };
    Kind kind = Kind::any;
    SweepTile tile{4, 16};
    int tile_warps = 1;           ///< Warps that share the tiles of a block.
    std::vector<int> first_lane;  ///< See FullSearchLayout.
    FullSearchLayout layout;      ///< But for the addresses.
    std::size_t keys_per_row = 0; ///< Of blocks.
    int rows_at_once = 0;         ///< Of blocks, so that their keys are at most what was asked for, or one.

    /// More than one candidate by selecting, sweeping and merging cells.
    bool sweeps_cells = false;
};

/// Each lane's place, from FullSearchPlan::first_lane.
std::vector<std::uint32_t> lane_places(const std::vector<int>& first_lane);

/// Which searches by SSD multiply matrices of integers. everywhere: all that can; for tests and measurements.
enum class Matrices { none, where_faster, everywhere };

/// `most_keys`: how many keys there should be in memory at once.
FullSearchPlan plan_full_search(const SearchTask& task, std::size_t most_keys, Matrices matrices);

/// What a search by products of matrices reads, for the task's rows; its addresses are those in memory that starts
/// at null.
struct CorrelationRoom {
    CorrelationPlanes planes;
    std::size_t bytes = 0;
    CorrelationPlanes planes_in(void* memory) const;
};
CorrelationRoom plan_correlation(const SearchTask& task);

/// How a search that walks does so (search/patterns.cpp).
Walk walk_of(const SearchParams& params);

} // namespace tandem::cuda
