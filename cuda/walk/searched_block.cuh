// SPDX-License-Identifier: BSD-2-Clause
// One block that is searched, whoever measures it: me/search/block_search.h on the device.
#pragma once

#include "cuda/full/block_distortion.cuh"
#include "me/null_rules.h"

namespace tandem::cuda {

class SearchedBlock {
  public:
    __device__ SearchedBlock(const SearchTask& task, int block)
        : task_(task), column_(block % task.columns), row_(task.first_row + block / task.columns),
          area_(block_area(task, column_, row_)), vectors_(vector_area(task, area_)),
          predictor_(predictor_of(task, column_, row_)),
          slots_(task.found + static_cast<std::size_t>(block) * task.candidates) {}

    __device__ int column() const { return column_; }
    __device__ int row() const { return row_; }
    __device__ const BlockArea& area() const { return area_; }
    __device__ const VectorArea& vectors() const { return vectors_; }
    __device__ Mv predictor() const { return predictor_; }
    __device__ Candidate* slots() const { return slots_; }

    __device__ Candidate candidate(Mv mv, std::uint32_t distortion) const {
        return candidate_of(task_, mv, predictor_, distortion);
    }
    /// What a position of the grid puts onto the block.
    __device__ WholeSamples reference(Position position) const {
        return {reference_at(task_, area_.x, area_.y, position), task_.reference.whole.stride};
    }

    __device__ bool settled(const Candidate& zero) const { return settles_for_zero(task_, zero.distortion, samples()); }
    /// The predictor rounded to the grid, halves up.
    __device__ Position predicted() const {
        const int half = task_.step() / 2, shift = 3 - task_.grid_shift;
        return {(predictor_.x + half) >> shift, (predictor_.y + half) >> shift};
    }
    __device__ Mv predicted_mv() const { return mv_of(task_, predicted()); }
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

  protected:
    __device__ const SearchTask& task() const { return task_; }

  private:
    __device__ std::uint64_t samples() const {
        return static_cast<std::uint64_t>(area_.width) * static_cast<std::uint64_t>(area_.height);
    }

    const SearchTask& task_;
    int column_, row_;
    BlockArea area_;
    VectorArea vectors_;
    Mv predictor_;
    Candidate* slots_;
};

/// A search of a block: zero and the predictor, then what `propose()` offers to the list unless zero is good enough,
/// and the slots. `Block` is a SearchedBlock that can measure positions.
template <class Block, class List, class Propose>
__device__ void search_block(const Block& block, List& list, const Propose& propose) {
    const Candidate zero = block.measure({0, 0});
    list.offer(zero);
    if (block.settled(zero)) {
        block.store(zero, false, zero, list);
        return;
    }
    const bool has_predicted = block.has_predicted();
    const Candidate predicted = has_predicted ? block.measure(block.predicted()) : zero;
    list.offer(predicted);
    propose();
    block.store(block.candidate({}, zero.distortion), has_predicted,
                block.candidate(block.predicted_mv(), predicted.distortion), list);
}

} // namespace tandem::cuda
