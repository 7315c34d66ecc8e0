// SPDX-License-Identifier: BSD-2-Clause
// Half-pel steps about a macroblock's candidates on the reconstruction: refine_subpel() of me/samples/subpel.h by SAD,
// to half a pel, of vectors that stay inside of the picture.
#pragma once

#include "cuda/coding/kernels/half_pels.h"
#include "me/cost.h"
#include "me/null_rules.h"

namespace tandem::cuda {

/// me/candidate_list.h in plain memory.
struct KeptCandidates {
    int capacity, size;
    Candidate kept[most_candidates];

    TANDEM_HOST_DEVICE void clear(int new_capacity) {
        capacity = new_capacity;
        size = 0;
    }
    TANDEM_HOST_DEVICE int find(Mv mv) const {
        int i = 0;
        while (i < size && !(kept[i].mv == mv))
            ++i;
        return i;
    }
    TANDEM_HOST_DEVICE void offer(const Candidate& candidate) {
        const bool full = size == capacity;
        if (full && !better(candidate, kept[size - 1])) return;
        if (find(candidate.mv) < size) return;
        int slot = full ? size - 1 : size++;
        for (; slot > 0 && better(candidate, kept[slot - 1]); --slot)
            kept[slot] = kept[slot - 1];
        kept[slot] = candidate;
    }
    /// In the place of the last one, unless that is the best.
    TANDEM_HOST_DEVICE void force(const Candidate& wanted) {
        if (find(wanted.mv) < size) return;
        if (size == capacity && --size == 0) {
            size = 1;
            return;
        }
        offer(wanted);
    }
    TANDEM_HOST_DEVICE void promote(Mv mv) {
        int slot = find(mv);
        if (slot == size) return;
        const Candidate found = kept[slot];
        for (; slot > 0; --slot)
            kept[slot] = kept[slot - 1];
        kept[0] = found;
    }
};

struct RefineScratch {
    LumaWindow luma;
    KeptCandidates list;
};

class MacroblockRefinement {
  public:
    TANDEM_HOST_DEVICE MacroblockRefinement(const Lanes& lanes, const CodingTask& task, const DirectionTask& direction,
                                            int macroblock, RefineScratch& scratch)
        : lanes_(lanes), task_(task), direction_(direction), macroblock_(macroblock), scratch_(scratch),
          slots_(direction.field + static_cast<std::ptrdiff_t>(macroblock) * direction.candidates) {}

    TANDEM_HOST_DEVICE void run() {
        load_source(lanes_, task_, macroblock_, scratch_.luma);
        std::uint32_t about_zero[ring_positions];
        ring(0, 0, about_zero);
        const Candidate zero = candidate({}, about_zero[ring_centre]);
        lanes_.once([&] { scratch_.list.clear(direction_.candidates); });
        const bool settled = settles_for_zero(direction_.refinement, zero.distortion, 256);
        for (int k = 0; !settled && k < direction_.candidates; ++k) {
            const Candidate start = slots_[k];
            if (!has_vector(start) || !allows(start.mv.x, start.mv.y) || ((start.mv.x | start.mv.y) & 3) != 0) continue;
            const Candidate refined = start.mv == Mv{} ? best_of({}, about_zero) : refine(start.mv);
            lanes_.once([&] { scratch_.list.offer(refined); });
        }
        settle(zero, settled);
        store();
    }

  private:
    TANDEM_HOST_DEVICE bool allows(int x, int y) const {
        const int left = task_.left(macroblock_), top = task_.top(macroblock_);
        return x >= -8 * left && y >= -8 * top && x <= 8 * (task_.columns * 16 - left - 16) &&
               y <= 8 * (task_.rows * 16 - top - 16);
    }
    TANDEM_HOST_DEVICE Candidate candidate(Mv mv, std::uint32_t sad) const {
        return {mv, sad, cost_of(sad, mv, {}, direction_.refinement.lambda_q8, direction_.refinement.rate_unit)};
    }
    TANDEM_HOST_DEVICE void ring(int x, int y, std::uint32_t (&sads)[ring_positions]) {
        ring_sads(lanes_, task_, direction_.reference, macroblock_, x, y, scratch_.luma, sads);
    }
    TANDEM_HOST_DEVICE static Mv moved(Mv centre, int position) {
        return {static_cast<std::int16_t>(centre.x + (position % 3 - 1) * eighths_per_half_pel),
                static_cast<std::int16_t>(centre.y + (position / 3 - 1) * eighths_per_half_pel)};
    }
    /// The best of a centre and its neighbours, whose SADs are known.
    TANDEM_HOST_DEVICE Candidate best_of(Mv centre, const std::uint32_t (&sads)[ring_positions]) const {
        return lanes_.best(ring_positions, [&](int position) {
            std::uint32_t sad = sads[0]; // By hand: an index that changes would send the array to memory.
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (int i = 1; i < ring_positions; ++i)
                sad = position == i ? sads[i] : sad;
            const Mv mv = moved(centre, position);
            return allows(mv.x, mv.y) ? candidate(mv, sad) : Candidate{};
        });
    }
    TANDEM_HOST_DEVICE Candidate refine(Mv start) {
        std::uint32_t sads[ring_positions];
        if (((start.x | start.y) & 7) == 0) {
            ring(start.x >> 3, start.y >> 3, sads);
            return best_of(start, sads);
        }
        // From a half-pel position, where a search went by those: one after the other.
        Candidate best;
        for (int position = 0; position < ring_positions; ++position) {
            const Mv mv = moved(start, position);
            if (!allows(mv.x, mv.y)) continue;
            const Candidate tried =
                candidate(mv, sad_at(lanes_, task_, direction_.reference, macroblock_, mv, scratch_.luma));
            if (better(tried, best)) best = tried;
        }
        return best;
    }

    /// The last step of every search: store_block() of me/search/block_search.h.
    TANDEM_HOST_DEVICE void settle(const Candidate& zero, bool settled) {
        lanes_.once([&] {
            KeptCandidates& list = scratch_.list;
            if (list.size == 0) list.offer(zero);
            if (settled) return;
            list.force(zero);
            if (!gains_too_little(direction_.refinement, list.kept[0].distortion, zero.distortion, 256)) return;
            if (direction_.candidates == 1) list.clear(1);
            list.offer(zero);
            list.promote({});
        });
    }

    TANDEM_HOST_DEVICE void store() {
        const KeptCandidates& list = scratch_.list;
        lanes_.each(direction_.candidates, [&](int k) { slots_[k] = k < list.size ? list.kept[k] : Candidate{}; });
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    const DirectionTask& direction_;
    int macroblock_;
    RefineScratch& scratch_;
    Candidate* slots_;
};

TANDEM_HOST_DEVICE inline void refine_macroblock(const Lanes& lanes, const CodingTask& task, int direction,
                                                 int macroblock, RefineScratch& scratch) {
    if (!task.direction[direction].exists) return;
    MacroblockRefinement(lanes, task, task.direction[direction], macroblock, scratch).run();
}

} // namespace tandem::cuda
