// SPDX-License-Identifier: BSD-2-Clause
// One block and the warp that works on it: me/search/block_search.h on the device.
#pragma once

#include "cuda/full/block_distortion.cuh"
#include "cuda/walk/warp_list.cuh"
#include "me/null_rules.h"

namespace tandem::cuda {

inline constexpr int warps_per_group = 4;

template <Metric metric> class WarpBlock {
  public:
    __device__ WarpBlock(const SearchTask& task, int block)
        : task_(task), column_(block % task.columns), row_(task.first_row + block / task.columns),
          lane_(static_cast<int>(threadIdx.x % 32)), area_(block_area(task, column_, row_)),
          vectors_(vector_area(task, area_)), predictor_(predictor_of(task, column_, row_)),
          current_(task.current, area_.x, area_.y),
          slots_(task.found + static_cast<std::size_t>(block) * task.candidates) {}

    /// The block of this thread's warp; task.rows * task.columns or more: none.
    static __device__ int number() {
        return static_cast<int>(blockIdx.x) * warps_per_group + static_cast<int>(threadIdx.x / 32);
    }

    __device__ int column() const { return column_; }
    __device__ int row() const { return row_; }
    __device__ int lane() const { return lane_; }
    __device__ const BlockArea& area() const { return area_; }
    __device__ const VectorArea& vectors() const { return vectors_; }
    __device__ Mv predictor() const { return predictor_; }
    __device__ Candidate* slots() const { return slots_; }

    __device__ Candidate candidate(Mv mv, std::uint32_t distortion) const {
        return candidate_of(task_, mv, predictor_, distortion);
    }
    /// Of a position of the grid, by the whole warp; the same in all lanes.
    __device__ Candidate measure(Position position) const {
        return candidate(mv_of(task_, position), sum_of_shares(share(position, lane_, 32), 32));
    }
    __device__ std::uint32_t share(Position position, int part, int parts) const {
        return share_of(WholeSamples(reference_at(task_, area_.x, area_.y, position), task_.reference.whole.stride),
                        part, parts);
    }
    /// The whole distortion by each lane, of positions of their own.
    __device__ std::uint32_t distortion(Position position) const {
        const WholeSamples reference(reference_at(task_, area_.x, area_.y, position), task_.reference.whole.stride);
        return whole_distortion<metric>(current_, reference, area_.width, area_.height);
    }
    /// Of any vector.
    __device__ std::uint32_t blended_share(Mv mv, int part, int parts) const {
        return share_of(BlendedSamples(task_.reference.whole, area_.x, area_.y, mv), part, parts);
    }
    /// Of any samples that stand for the reference's.
    template <class Reference>
    __device__ std::uint32_t share_of(const Reference& reference, int part, int parts) const {
        return share_of_distortion<metric>(current_, reference, area_.width, area_.height, part, parts);
    }

    __device__ bool settled(const Candidate& zero) const { return settles_for_zero(task_, zero.distortion, samples()); }
    /// The predictor rounded to the grid, halves up.
    __device__ Position predicted() const {
        const int half = task_.step() / 2, shift = 3 - task_.grid_shift;
        return {(predictor_.x + half) >> shift, (predictor_.y + half) >> shift};
    }
    /// Whether the search may use it and it is not zero.
    __device__ bool has_predicted() const {
        const Position position = predicted();
        return (position.x != 0 || position.y != 0) && vectors_.contains(position);
    }

    /// The last step of every search; `predicted` counts where there is a predictor that the search may use.
    template <class List>
    __device__ void store(const Candidate& zero, bool has_predicted, const Candidate& predicted, List& list) const {
        list.force(zero);
        if (has_predicted) list.force(predicted, zero.mv);
        if (gains_too_little(task_, list.best().distortion, zero.distortion, samples())) {
            if (task_.candidates == 1) list.clear();
            list.offer(zero);
            list.promote(zero.mv);
        }
        list.store(slots_);
    }

  private:
    __device__ std::uint64_t samples() const {
        return static_cast<std::uint64_t>(area_.width) * static_cast<std::uint64_t>(area_.height);
    }

    const SearchTask& task_;
    int column_, row_, lane_;
    BlockArea area_;
    VectorArea vectors_;
    Mv predictor_;
    WholeSamples current_;
    Candidate* slots_;
};

/// A search of this warp's block: zero and the predictor, then what `propose(block, list)` offers unless zero is good
/// enough, and the slots. `List`: WarpList, or WarpBest where the task has one candidate.
template <Metric metric, class List = WarpList, class Propose>
__device__ void search_warp_block(const SearchTask& task, const Propose& propose) {
    const int number = WarpBlock<metric>::number();
    if (number >= task.rows * task.columns) return;
    const WarpBlock<metric> block(task, number);
    List list(task.candidates, block.lane());
    const Candidate zero = block.measure({0, 0});
    list.offer(zero);
    if (block.settled(zero)) {
        block.store(zero, false, zero, list);
        return;
    }
    const bool has_predicted = block.has_predicted();
    const Candidate predicted = has_predicted ? block.measure(block.predicted()) : zero;
    list.offer(predicted);
    propose(block, list);
    block.store(zero, has_predicted, predicted, list);
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
