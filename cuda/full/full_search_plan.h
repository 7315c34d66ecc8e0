// SPDX-License-Identifier: BSD-2-Clause
// How a full search is cut into threads. Nothing here needs a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/requests/search_task.h"

namespace tandem::cuda {

struct FullSearchPlan {
    /// Which kernels: sweeps over blocks of one tile, of several, products of matrices; by SATD transformed stretches,
    /// or the one for any block.
    enum class Kind { sweep, sweep_tiles, correlation, satd, any };
    Kind kind = Kind::any;
    SweepTile tile{4, 16};
    int tile_warps = 1; ///< Warps that share the tiles of a block.
    SatdGroups satd;
    int pictures = 1;              ///< That one launch searches (PictureBatch).
    std::vector<int> first_thread; ///< See FullSearchLayout; of all pictures' columns of blocks.
    FullSearchLayout layout;       ///< But for the addresses.
    std::size_t keys_per_row = 0;  ///< Of blocks.
    int rows_at_once = 0; ///< Of blocks, so that their keys and stretches take what was asked for at most, or one.
    std::size_t correlation_bytes = 0; ///< What each go of rows needs at most; nothing but for Kind::correlation.

    /// More than one candidate by selecting, sweeping and merging stretches.
    bool sweeps_stretches = false;
};

/// The same task for what looks at blocks alone: those of all pictures, as if in one row.
SearchTask blocks_of_batch(const SearchTask& task, int pictures);

/// Each thread's place, from FullSearchPlan::first_thread.
std::vector<std::uint32_t> lane_places(const std::vector<int>& first_thread);

/// Which searches by SSD multiply matrices of integers. everywhere: all that can; for tests and measurements.
enum class Matrices { none, where_faster, everywhere };

/// The rows `first` .. `first + rows - 1` of the task's own.
SearchTask part_of(const SearchTask& task, int first, int rows);

/// `most_keys`: of how many keys there should be the memory at once.
FullSearchPlan plan_full_search(const SearchTask& task, std::size_t most_keys, Matrices matrices);

/// Whether one launch can search several pictures by the task, which is that of one of them: by SAD on the whole-pel
/// grid, blocks of one tile, one candidate that nothing replaces.
bool can_batch(const SearchTask& task);
/// So many of them fill a large device, from 1 to most_pictures; 1 too where they cannot be searched together.
int pictures_at_once(const SearchTask& task);
/// Of `pictures` at once, for which can_batch() and which are at most most_pictures_of(): all rows of blocks in one go.
FullSearchPlan plan_batch(const SearchTask& task, int pictures);
/// As many as most_pictures, and as the places of threads can name.
int most_pictures_of(const SearchTask& task);

/// What a search by products of matrices reads, for the task's rows; its addresses are those in memory that starts
/// at null.
struct CorrelationMemory {
    CorrelationPlanes planes;
    std::size_t bytes = 0;
    CorrelationPlanes planes_in(void* memory) const;
};
CorrelationMemory plan_correlation(const SearchTask& task);

} // namespace tandem::cuda
