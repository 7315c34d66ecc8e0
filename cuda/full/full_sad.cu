// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/full/full_sweep.cuh"

namespace tandem::cuda {

void launch_full_sad(const SearchTask& task, const FullSearchLayout& layout, SweepTile tile, cudaStream_t stream) {
    launch_full_sweep_by<Metric::sad>(task, layout, tile, stream);
}

} // namespace tandem::cuda
