// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/full/full_sweep_tiles.cuh"

namespace tandem::cuda {

void launch_full_sad_tiles(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, int warps,
                           cudaStream_t stream) {
    launch_full_sweep_tiles_by<Metric::sad>(task, layout, tile, warps, stream);
}

} // namespace tandem::cuda
