// SPDX-License-Identifier: BSD-2-Clause
// One vector a macroblock, jointly along a slice: the dynamic programming of choose_vectors() in
// coding/mpeg/vectors/vector_choice.h. Macroblocks are fetched a stretch at a time, since the chain waits for each.
#pragma once

#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

struct ChooseScratch {
    static constexpr int stretch = 16; ///< Macroblocks.
    static constexpr int warps = 4;
    std::uint32_t lambda_q8;
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
    TANDEM_HOST_DEVICE VectorChoice(const Warps& warps, const CodingTask& task, const DirectionTask& direction,
                                    SliceExtent slice, ChooseScratch& scratch)
        : warps_(warps), task_(task), direction_(direction), slice_(slice), scratch_(scratch),
          f_code_(f_codes_of(direction)) {}

    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = ChooseScratch::stretch;
        warps_.each(1, [&](const Lanes& lanes, int) { find_lambda(lanes); });
        for (int first = slice_.first; first < slice_.end; first += stretch)
            extend_over(first, first + stretch < slice_.end ? first + stretch : slice_.end);
        warps_.each(1, [&](const Lanes& lanes, int) { go_back(lanes); });
    }

  private:
    TANDEM_HOST_DEVICE void go_back(const Lanes& lanes) {
        constexpr int stretch = ChooseScratch::stretch;
        pick_last(lanes);
        const int last_stretch = (slice_.end - slice_.first - 1) / stretch;
        for (int i = last_stretch; i >= 0; --i) {
            const int first = slice_.first + i * stretch;
            trace_back(lanes, first, first + stretch < slice_.end ? first + stretch : slice_.end, i == last_stretch);
        }
    }

    /// One worth of a bit for the whole slice: the mean.
    TANDEM_HOST_DEVICE void find_lambda(const Lanes& lanes) {
        const std::uint32_t sum = lanes.sum(slice_.end - slice_.first, [&](int i) {
            return task_.tables->sad_lambda_q8[task_.wanted_code[slice_.first + i]];
        });
        lanes.once([&] { scratch_.lambda_q8 = sum / static_cast<std::uint32_t>(slice_.end - slice_.first); });
    }

    TANDEM_HOST_DEVICE void fetch_list(int macroblock, int step, int k) {
        const VectorList& from = direction_.lists[macroblock];
        const int count = from.count;
        if (k == 0) scratch_.lists[step].count = count;
        if (k >= count) return;
        scratch_.lists[step].mv[k] = from.mv[k];
        scratch_.lists[step].sad[k] = from.sad[k];
    }

    /// Only the chain itself goes from macroblock to macroblock: lists and rates are there for a whole stretch before.
    TANDEM_HOST_DEVICE void extend_over(int first, int end) {
        constexpr int warps = ChooseScratch::warps, most = VectorList::most;
        warps_.each(warps, [&](const Lanes& lanes, int warp) {
            constexpr int share = ChooseScratch::stretch * most / warps;
            lanes.each(share, [&](int item) {
                const int step = (warp * share + item) / most;
                if (first + step < end) fetch_list(first + step, step, item % most);
            });
        });
        warps_.each(warps, [&](const Lanes& lanes, int warp) {
            for (int step = warp; step < end - first; step += warps)
                weigh_vectors(lanes, first + step, step);
        });
        warps_.each(1, [&](const Lanes& lanes, int) {
            for (int macroblock = first; macroblock < end; ++macroblock)
                extend(lanes, macroblock, macroblock - first);
            const VectorList& last = scratch_.lists[end - 1 - first];
            lanes.each(last.count, [&](int i) { scratch_.before[i] = last.mv[i]; });
            lanes.once([&] { scratch_.before_count = last.count; });
            lanes.each((end - first) * most, [&](int i) {
                if (i % most < scratch_.lists[i / most].count)
                    direction_.cheapest[static_cast<std::ptrdiff_t>(first) * most + i] =
                        scratch_.cheapest[i / most][i % most];
            });
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
    TANDEM_HOST_DEVICE void weigh_vectors(const Lanes& lanes, int macroblock, int step) {
        const VectorList& list = scratch_.lists[step];
        const Before from = before(macroblock, step);
        const int ways = from.mv == nullptr ? 1 : from.count;
        lanes.each(list.count * ways, [&](int item) {
            const int i = item / ways, j = item % ways;
            scratch_.rate[step][i][j] = rate(list.mv[i], from.mv == nullptr ? Mv{} : from.mv[j]);
        });
    }

    /// Finds, for each vector, the cheapest way to it from the macroblock before.
    TANDEM_HOST_DEVICE void extend(const Lanes& lanes, int macroblock, int step) {
        const VectorList& list = scratch_.lists[step];
        const bool starts = macroblock == slice_.first;
        const int befores = before(macroblock, step).count;
        const int turn = (macroblock - slice_.first) & 1;
        lanes.each(list.count, [&](int i) {
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
        return static_cast<std::uint16_t>((scratch_.lambda_q8 * static_cast<std::uint32_t>(bits)) >> 8);
    }

    /// The cheapest vector of the last macroblock.
    TANDEM_HOST_DEVICE void pick_last(const Lanes& lanes) {
        const int turn = (slice_.end - 1 - slice_.first) & 1;
        lanes.once([&] {
            int pick = 0;
            for (int i = 1; i < scratch_.before_count; ++i)
                pick = scratch_.cost[turn][i] < scratch_.cost[turn][pick] ? i : pick;
            scratch_.pick = pick;
        });
    }

    /// From the last macroblock of a stretch to its first. The last stretch is still there.
    TANDEM_HOST_DEVICE void trace_back(const Lanes& lanes, int first, int end, bool is_there) {
        if (!is_there) {
            lanes.each((end - first) * VectorList::most, [&](int i) {
                fetch_list(first + i / VectorList::most, i / VectorList::most, i % VectorList::most);
            });
            lanes.each((end - first) * VectorList::most, [&](int i) {
                if (i % VectorList::most < scratch_.lists[i / VectorList::most].count)
                    scratch_.cheapest[i / VectorList::most][i % VectorList::most] =
                        direction_.cheapest[static_cast<std::ptrdiff_t>(first) * VectorList::most + i];
            });
        }
        lanes.once([&] {
            int pick = scratch_.pick;
            for (int step = end - 1 - first; step >= 0; --step) {
                scratch_.picks[step] = static_cast<std::uint8_t>(pick);
                pick = scratch_.cheapest[step][pick];
            }
            scratch_.pick = pick;
        });
        lanes.each(end - first, [&](int step) {
            const VectorList& list = scratch_.lists[step];
            const int pick = scratch_.picks[step];
            ChosenVector& chosen = direction_.chosen[first + step];
            chosen.mv = list.mv[pick];
            chosen.sad = list.sad[pick];
            chosen.sad_zero = list.sad[0];
        });
    }

    const Warps& warps_;
    const CodingTask& task_;
    const DirectionTask& direction_;
    SliceExtent slice_;
    ChooseScratch& scratch_;
    FCodes f_code_;
};

TANDEM_HOST_DEVICE inline void choose_vectors(const Warps& warps, const CodingTask& task, int direction, int slice,
                                              ChooseScratch& scratch) {
    if (!task.direction[direction].exists) return;
    VectorChoice(warps, task, task.direction[direction], task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
