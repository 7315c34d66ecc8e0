// SPDX-License-Identifier: BSD-2-Clause
// The functions that launch the kernels. A launcher queues its work on the stream, checks the launch (RunError) and
// returns; nothing here waits for the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/requests/search_task.h"
#include "me/search/walk.h"

namespace tandem::cuda {

/// Success where this build has code that runs on the calling thread's device.
cudaError_t kernels_for_this_device();

/// The word plane of `samples` (rows of `pitch` bytes, a multiple of 4, readable to their end).
void launch_make_words(const std::uint8_t* samples, int pitch, int width, int height, int border, std::uint32_t* origin,
                       int stride, cudaStream_t stream);

/// The other planes of the grid from the first of them, for rows -border .. height + border - 2 and as many columns.
void launch_make_fractions(const WordPlanes& planes, int width, int height, int border, cudaStream_t stream);

/// SAD or SSD of every vector of the window, for blocks no larger than the tile: the key of each block's best vector
/// where the layout settles, else for each stretch that of its own.
void launch_full_sad(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, cudaStream_t stream);
void launch_full_ssd(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, cudaStream_t stream);
/// The same by SAD for several pictures on the whole-pel grid, where the layout settles.
void launch_full_sad_batch(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile,
                           const PictureBatch& batch, cudaStream_t stream);
/// The same for blocks of several tiles, larger than the tile in width, where that has 4 words, or in height, where it
/// has 16 rows. `warps` of a group share the tiles.
void launch_full_sad_tiles(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, int warps,
                           cudaStream_t stream);
void launch_full_ssd_tiles(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, int warps,
                           cudaStream_t stream);
/// By SSD with the device's integer matrices, for blocks of up to 16x16 on the whole-pel grid; first what it reads.
void launch_make_squares(const SearchTask& task, const CorrelationPlanes& planes, cudaStream_t stream);
void launch_full_correlation(const SearchTask& task, const FullSearchLayout& layout, const CorrelationPlanes& planes,
                             cudaStream_t stream);
/// Whether the calling thread's device has them (from sm_80 on).
bool has_integer_matrices();
/// By SATD, in groups of which each holds a block at least; for each stretch of vectors the key of its best.
void launch_full_satd(const SearchTask& task, const FullSearchLayout& layout, const SatdGroups& groups,
                      cudaStream_t stream);
/// The same for any block, without the packed arithmetic, and by zero-mean SAD.
void launch_full_any(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream);

/// Where the layout settles: each block's candidate from its best key, which is then ready for the next search.
void launch_write_best(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream);

/// Candidates of each block from the keys of its stretches, which are searched again where more than one is wanted.
void launch_full_finish(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream);
/// The same in three steps, for more than one candidate and blocks no larger than the tile.
void launch_select_stretches(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream);
void launch_sweep_stretches(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile,
                            cudaStream_t stream);
void launch_merge_stretches(const SearchTask& task, const FullSearchLayout& layout, cudaStream_t stream);

/// Walks about the best vector, a warp for each block; `coarse`, here and below, has more of where they begin.
void launch_walk(const SearchTask& task, const Walk& walk, const CoarseCells& coarse, cudaStream_t stream);

void launch_smpuhex(const SearchTask& task, const SmpUHexPass& pass, const CoarseCells& coarse, cudaStream_t stream);
/// Every vector of +-reach about the best of where blocks begin.
void launch_predictive(const SearchTask& task, int reach_x, int reach_y, const CoarseCells& coarse,
                       cudaStream_t stream);
/// The same, and then what a wide search finds.
void launch_predictive_wide(const SearchTask& task, int reach_x, int reach_y, const CoarseCells& coarse,
                            const WideLevels& wide, cudaStream_t stream);
/// The best of all vectors of each cell, and of those that the level before found, of twice the cell's size. Of the
/// task they read the metric, the rate of a vector and the boundary.
void launch_coarse_smallest(const SearchTask& task, const CoarseLevel& level, cudaStream_t stream);
void launch_coarse_finer(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before,
                         cudaStream_t stream);
/// These by SAD for several pictures; of a coarse level, whose planes the batch has, each picture has all cells.
void launch_walk_batch(const SearchTask& task, const Walk& walk, const CoarseCells& coarse, const PictureBatch& batch,
                       cudaStream_t stream);
void launch_coarse_smallest_batch(const SearchTask& task, const CoarseLevel& level, const PictureBatch& batch,
                                  cudaStream_t stream);
void launch_coarse_finer_batch(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before,
                               const PictureBatch& batch, cudaStream_t stream);
void launch_hierarchical(const SearchTask& task, const PyramidLevels& pyramid, cudaStream_t stream);
/// The samples of a pyramid's level from those of the one below it.
void launch_halve(const std::uint8_t* from, int from_pitch, int from_width, int from_height, std::uint8_t* to,
                  int to_pitch, cudaStream_t stream);

/// Sub-pel refinement of task.found in place; `border` as of the CPU's planes: how far outside of the picture a
/// position may reach.
void launch_refine(const SearchTask& task, int precision, int border, cudaStream_t stream);
/// Of several pictures in one launch.
void launch_refine_batch(const SearchTask& task, const PictureBatch& batch, int precision, int border,
                         cudaStream_t stream);

inline constexpr int ceiling_words = 4096;
/// `repeats` times `ceiling_words` packed absolute differences per thread in registers: the arithmetic's ceiling.
/// Writes a word per thread.
void launch_ceiling(int blocks, int threads, int repeats, std::uint32_t* out, cudaStream_t stream);

} // namespace tandem::cuda
