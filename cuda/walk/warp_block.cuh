// SPDX-License-Identifier: BSD-2-Clause
// One block and the warp that works on it.
#pragma once

#include "cuda/walk/searched_block.cuh"
#include "cuda/walk/warp_list.cuh"

namespace tandem::cuda {

inline constexpr int warps_per_group = 4;

template <Metric metric> class WarpBlock : public SearchedBlock {
  public:
    __device__ WarpBlock(const SearchTask& task, int block)
        : SearchedBlock(task, block), lane_(static_cast<int>(threadIdx.x % 32)),
          current_(task.current, area().x, area().y) {}

    /// The block of this thread's warp; task.rows * task.columns or more: none.
    static __device__ int number() {
        return static_cast<int>(blockIdx.x) * warps_per_group + static_cast<int>(threadIdx.x / 32);
    }

    __device__ int lane() const { return lane_; }

    /// Of a position of the grid, by the whole warp; the same in all lanes.
    __device__ Candidate measure(Position position) const {
        return candidate(mv_of(task(), position), sum_of_shares(share(position, lane_, 32), 32));
    }
    __device__ std::uint32_t share(Position position, int part, int parts) const {
        return share_of(reference(position), part, parts);
    }
    /// Of any vector.
    __device__ std::uint32_t blended_share(Mv mv, int part, int parts) const {
        return share_of(BlendedSamples(task().reference.whole, area().x, area().y, mv), part, parts);
    }
    /// Of any samples that stand for the reference's.
    template <class Reference>
    __device__ std::uint32_t share_of(const Reference& reference, int part, int parts) const {
        return share_of_distortion<metric>(current_, reference, area().width, area().height, part, parts);
    }

  private:
    int lane_;
    WholeSamples current_;
};

/// Searches this warp's block: search_block(), with what `propose(block, list)` offers. `List`: WarpList, or WarpBest
/// where the task has one candidate.
template <Metric metric, class List = WarpList, class Propose>
__device__ void search_warp_block(const SearchTask& task, const Propose& propose) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    List list(task.candidates, block.lane());
    search_block(block, list, [&] { propose(block, list); });
}

/// Threads and blocks of a kernel with a warp for each block of the field.
inline constexpr int warp_kernel_threads = 32 * warps_per_group;
inline unsigned warp_kernel_groups(const SearchTask& task) {
    return static_cast<unsigned>((task.rows * task.columns + warps_per_group - 1) / warps_per_group);
}
/// The same of several pictures, each a row.
inline dim3 warp_kernel_groups(const SearchTask& task, const PictureBatch& batch) {
    return {warp_kernel_groups(task), static_cast<unsigned>(batch.count)};
}

} // namespace tandem::cuda
