// SPDX-License-Identifier: BSD-2-Clause
// One vector a macroblock, jointly along a slice: the dynamic programming of choose_vectors() in
// coding/mpeg/vectors/vector_choice.h. Macroblocks are fetched a stretch at a time, since the chain waits for each.
#pragma once

#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

struct ChooseScratch {
    static constexpr int stretch = 16; ///< Macroblocks.
    VectorList lists[stretch];
    /// What a vector costs after one of the macroblock before; of the slice's first macroblock [i][0]: after zero.
    std::uint16_t rate[stretch][VectorList::most][VectorList::most];
    std::uint8_t cheapest[stretch][VectorList::most];
    std::uint64_t cost[2][VectorList::most]; ///< Of the cheapest chain to each vector; of two macroblocks by turns.
    Mv before[VectorList::most];             ///< The vectors of the last macroblock of the stretch before.
    std::int32_t before_count;
    std::int32_t pick;
    std::uint8_t picks[stretch];
};

class VectorChoice {
  public:
    TANDEM_HOST_DEVICE VectorChoice(const Lanes& lanes, const CodingTask& task, const DirectionTask& direction,
                                    SliceExtent slice, ChooseScratch& scratch)
        : lanes_(lanes), task_(task), direction_(direction), slice_(slice), scratch_(scratch),
          f_code_(f_codes_of(direction)) {
        // One worth of a bit for the whole slice: the mean.
        const std::uint32_t sum = lanes.sum(slice.end - slice.first, [&](int i) {
            return task.tables->sad_lambda_q8[task.wanted_code[slice.first + i]];
        });
        lambda_q8_ = sum / static_cast<std::uint32_t>(slice.end - slice.first);
    }

    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = ChooseScratch::stretch;
        for (int first = slice_.first; first < slice_.end; first += stretch)
            extend_over(first, first + stretch < slice_.end ? first + stretch : slice_.end);
        pick_last();
        const int last_stretch = (slice_.end - slice_.first - 1) / stretch;
        for (int i = last_stretch; i >= 0; --i) {
            const int first = slice_.first + i * stretch;
            trace_back(first, first + stretch < slice_.end ? first + stretch : slice_.end, i == last_stretch);
        }
    }

  private:
    TANDEM_HOST_DEVICE void fetch_lists(int first, int end) {
        lanes_.each((end - first) * VectorList::most, [&](int i) {
            const int step = i / VectorList::most, k = i % VectorList::most;
            const VectorList& from = direction_.lists[first + step];
            const int count = from.count;
            if (k == 0) scratch_.lists[step].count = count;
            if (k >= count) return;
            scratch_.lists[step].mv[k] = from.mv[k];
            scratch_.lists[step].sad[k] = from.sad[k];
        });
    }

    TANDEM_HOST_DEVICE void extend_over(int first, int end) {
        fetch_lists(first, end);
        weigh_vectors(first, end);
        for (int macroblock = first; macroblock < end; ++macroblock)
            extend(macroblock, macroblock - first);
        const VectorList& last = scratch_.lists[end - 1 - first];
        lanes_.each(last.count, [&](int i) { scratch_.before[i] = last.mv[i]; });
        lanes_.once([&] { scratch_.before_count = last.count; });
        lanes_.each((end - first) * VectorList::most, [&](int i) {
            if (i % VectorList::most < scratch_.lists[i / VectorList::most].count)
                direction_.cheapest[static_cast<std::ptrdiff_t>(first) * VectorList::most + i] =
                    scratch_.cheapest[i / VectorList::most][i % VectorList::most];
        });
    }

    /// The vectors that lead to those of a step of the stretch.
    struct Before {
        const Mv* mv;
        int count;
    };
    TANDEM_HOST_DEVICE Before before(int macroblock, int step) const {
        if (macroblock == slice_.first) return {nullptr, 0};
        if (step == 0) return {scratch_.before, scratch_.before_count};
        return {scratch_.lists[step - 1].mv, scratch_.lists[step - 1].count};
    }

    /// Fills `rate`, which no chain changes: so the chain waits for sums alone.
    TANDEM_HOST_DEVICE void weigh_vectors(int first, int end) {
        for (int step = 0; step < end - first; ++step) {
            const VectorList& list = scratch_.lists[step];
            const Before from = before(first + step, step);
            const int ways = from.mv == nullptr ? 1 : from.count;
            lanes_.each(list.count * ways, [&](int item) {
                const int i = item / ways, j = item % ways;
                scratch_.rate[step][i][j] = rate(list.mv[i], from.mv == nullptr ? Mv{} : from.mv[j]);
            });
        }
    }

    /// Finds, for each vector, the cheapest way to it from the macroblock before.
    TANDEM_HOST_DEVICE void extend(int macroblock, int step) {
        const VectorList& list = scratch_.lists[step];
        const bool starts = macroblock == slice_.first;
        const int befores = before(macroblock, step).count;
        const int turn = (macroblock - slice_.first) & 1;
        lanes_.each(list.count, [&](int i) {
            std::uint64_t least = starts ? scratch_.rate[step][i][0] : UINT64_MAX;
            int from = 0;
            for (int j = 0; j < befores; ++j) {
                const std::uint64_t cost = scratch_.cost[1 - turn][j] + scratch_.rate[step][i][j];
                if (cost >= least) continue;
                least = cost;
                from = j;
            }
            scratch_.cost[turn][i] = least + list.sad[i];
            scratch_.cheapest[step][i] = static_cast<std::uint8_t>(from);
        });
    }

    TANDEM_HOST_DEVICE std::uint16_t rate(Mv mv, Mv before) const {
        const bool no_mc = task_.type == PictureType::predicted && mv == Mv{};
        const int bits = no_mc ? 1 : vector_bits_of(*task_.tables, mv, before, f_code_);
        return static_cast<std::uint16_t>((lambda_q8_ * static_cast<std::uint32_t>(bits)) >> 8);
    }

    /// The cheapest vector of the last macroblock.
    TANDEM_HOST_DEVICE void pick_last() {
        const int turn = (slice_.end - 1 - slice_.first) & 1;
        lanes_.once([&] {
            int pick = 0;
            for (int i = 1; i < scratch_.before_count; ++i)
                pick = scratch_.cost[turn][i] < scratch_.cost[turn][pick] ? i : pick;
            scratch_.pick = pick;
        });
    }

    /// From the last macroblock of a stretch to its first. The last stretch is still there.
    TANDEM_HOST_DEVICE void trace_back(int first, int end, bool is_there) {
        if (!is_there) {
            fetch_lists(first, end);
            lanes_.each((end - first) * VectorList::most, [&](int i) {
                if (i % VectorList::most < scratch_.lists[i / VectorList::most].count)
                    scratch_.cheapest[i / VectorList::most][i % VectorList::most] =
                        direction_.cheapest[static_cast<std::ptrdiff_t>(first) * VectorList::most + i];
            });
        }
        lanes_.once([&] {
            int pick = scratch_.pick;
            for (int step = end - 1 - first; step >= 0; --step) {
                scratch_.picks[step] = static_cast<std::uint8_t>(pick);
                pick = scratch_.cheapest[step][pick];
            }
            scratch_.pick = pick;
        });
        lanes_.each(end - first, [&](int step) {
            const VectorList& list = scratch_.lists[step];
            const int pick = scratch_.picks[step];
            ChosenVector& chosen = direction_.chosen[first + step];
            chosen.mv = list.mv[pick];
            chosen.sad = list.sad[pick];
            chosen.sad_zero = list.sad[0];
        });
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    const DirectionTask& direction_;
    SliceExtent slice_;
    ChooseScratch& scratch_;
    FCodes f_code_;
    std::uint32_t lambda_q8_;
};

TANDEM_HOST_DEVICE inline void choose_vectors(const Lanes& lanes, const CodingTask& task, int direction, int slice,
                                              ChooseScratch& scratch) {
    if (!task.direction[direction].exists) return;
    VectorChoice(lanes, task, task.direction[direction], task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
