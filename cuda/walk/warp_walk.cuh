// SPDX-License-Identifier: BSD-2-Clause
// Positions that a warp tries about the best vector of its block, eight at a time, four lanes for each.
#pragma once

#include "cuda/walk/warp_block.cuh"
#include "me/search/levels/coarse_rules.h"
#include "me/search/pattern.h"

namespace tandem::cuda {

/// The place of a pattern about a centre; `number` is less than Pattern::most.
__device__ inline Position moved(Position centre, const Pattern& pattern, int number, int step_x, int step_y) {
    const Offset place = pattern.places[number];
    return {centre.x + step_x * place.x, centre.y + step_y * place.y};
}

/// Groups of threads on a multiprocessor of the kernels that walk: what is not plain SAD needs more registers.
constexpr int walking_groups(Metric metric) { return metric == Metric::sad ? 5 : 4; }

/// A step of a search that walks on whole positions. All lanes of the warp call its functions with the same arguments
/// but where they say otherwise.
template <Metric metric, class List = WarpList> class WarpWalk {
  public:
    static constexpr int at_once = 8; ///< Positions.
    static constexpr int lanes_each = 4;

    __device__ WarpWalk(const SearchTask& task, const WarpBlock<metric>& block, List& list)
        : task_(task), block_(block), list_(list) {}

    /// Which of the positions tried at once is this lane's.
    __device__ int number() const { return block_.lane() / lanes_each; }
    __device__ Position centre() const {
        const Mv best = list_.best().mv;
        return {best.x / eighths_per_pel, best.y / eighths_per_pel};
    }
    __device__ std::uint32_t cost() const { return list_.best().cost; }

    /// Tries each lane's own position, the same in the lanes of one number; none where it does not exist.
    __device__ void propose(Position own, bool exists) {
        const bool allowed = exists && block_.vectors().contains(own);
        const int part = block_.lane() % lanes_each;
        const std::uint32_t distortion = sum_of_shares(allowed ? block_.share(own, part, lanes_each) : 0, lanes_each);
        list_.offer_each(allowed && part == 0, block_.candidate(mv_of(task_, own), distortion));
    }

    /// A pattern of at most `at_once` places as a walk tries it again and again: what a lane reads of it is not what
    /// the others read, which takes a constant load each, so it is read once.
    struct OwnPlace {
        Offset offset;
        bool exists;
    };
    __device__ OwnPlace own_place(const Pattern& pattern) const {
        return {pattern.places[number()], number() < pattern.count};
    }
    /// Tries such a pattern, scaled, about the best vector; true when something is better.
    __device__ bool attempt(const OwnPlace& own, int step_x, int step_y) {
        const Mv before = list_.best().mv;
        const Position about = centre();
        propose({about.x + step_x * own.offset.x, about.y + step_y * own.offset.y}, own.exists);
        return !(list_.best().mv == before);
    }

    /// The same with any pattern.
    __device__ bool attempt(const Pattern& pattern, int step_x, int step_y) {
        const Mv before = list_.best().mv;
        const Position about = centre();
        for (int first = 0; first < pattern.count; first += at_once) {
            const int place = first + number();
            propose(moved(about, pattern, place, step_x, step_y), place < pattern.count);
        }
        return !(list_.best().mv == before);
    }

  private:
    const SearchTask& task_;
    const WarpBlock<metric>& block_;
    List& list_;
};

/// A vector of a level in samples of the next larger one, moved into an area of those.
__device__ inline Position doubled(Position vector, const VectorArea& area) {
    return {min(max(2 * vector.x, area.min_x), area.max_x), min(max(2 * vector.y, area.min_y), area.max_y)};
}

__device__ inline bool has_cell(const CoarseCells& cells, CellPlace cell) {
    return cell.column >= 0 && cell.row >= 0 && cell.column < cells.columns && cell.row < cells.rows;
}
__device__ inline Position vector_of(const CoarseCells& cells, CellPlace cell) {
    return cells.vectors[cell.row * cells.columns + cell.column];
}

/// What the coarse search found in cell `number` of those about the block's middle; false: there is no such cell.
__device__ inline bool coarse_start(const CoarseCells& coarse, const SearchedBlock& block, int number,
                                    Position& start) {
    const BlockArea& area = block.area();
    const CellPlace cell = cell_of_block(area.x + area.width / 2, area.y + area.height / 2, number);
    if (!has_cell(coarse, cell)) return false;
    start = doubled(vector_of(coarse, cell), block.vectors());
    return true;
}

/// Tries what the coarse search found about the block's middle, where there was one.
template <Metric metric, class List>
__device__ void propose_coarse(const CoarseCells& coarse, const WarpBlock<metric>& block,
                               WarpWalk<metric, List>& steps) {
    if (coarse.vectors == nullptr) return;
    Position start{};
    const bool exists = steps.number() < cells_of_block && coarse_start(coarse, block, steps.number(), start);
    steps.propose(start, exists);
}

} // namespace tandem::cuda
