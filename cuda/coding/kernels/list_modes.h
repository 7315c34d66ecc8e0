// SPDX-License-Identifier: BSD-2-Clause
// The modes that a macroblock is tried in: decide_slice() of coding/mpeg/decide.h for Decision::rd. Of what is offered,
// in its order there, those of least SAD + lambda * bits are listed, and intra where it costs hardly more.
#pragma once

#include "cuda/coding/kernels/decide_modes.h"

namespace tandem::cuda {

struct MeanScratch {
    TwoRows source[32], other[32]; ///< Each lane's: the macroblock's luma, and what the other direction predicts.
};

/// SADs of the means of both directions' predictions that a B picture's macroblock can choose.
TANDEM_HOST_DEVICE inline void measure_means(const Lanes& lanes, const CodingTask& task, int direction, int macroblock,
                                             MeanScratch& scratch) {
    const DirectionTask &own = task.direction[direction], &other = task.direction[1 - direction];
    const VectorList& list = own.lists[macroblock];
    const Mv chosen = other.chosen[macroblock].mv;
    const int left = task.left(macroblock), top = task.top(macroblock), count = list.count;
    const SamplesFrom source(task.source, 0, left, top);
    const DisplacedSamples other_samples(other.reference, 0, left, top, chosen);
    lanes.each(32, [&](int lane) {
        const LaneShare share(lane);
        scratch.source[lane] = source.two_rows(share.x, share.y);
        scratch.other[lane] = other_samples.two_rows(share.x, share.y);
    });
    for (int k = 0; k < count; ++k) {
        const DisplacedSamples predicted(own.reference, 0, left, top, list.mv[k]);
        const std::uint32_t sad = lanes.sum(32, [&](int lane) {
            return mean_difference(scratch.source[lane], predicted, scratch.other[lane], LaneShare(lane));
        });
        lanes.once([&] { own.mean_sad[static_cast<std::ptrdiff_t>(macroblock) * VectorList::most + k] = sad; });
    }
}

struct ListScratch {
    static constexpr int stretch = 8; ///< Macroblocks.
    static constexpr int warps = 4;
    static constexpr int most_offers = 4 * VectorList::most + 2;
    /// What is offered, by direction.
    struct Vectors {
        std::int32_t count;
        Mv chosen;
        Mv mv[VectorList::most];
        std::uint32_t sad[VectorList::most], mean_sad[VectorList::most];
    };
    /// A mode that is offered. Twice the same is offered once.
    struct Offer {
        Mode mode;
        std::uint32_t sad;
        bool is_repeated;
    };
    Vectors vectors[stretch][2];
    VectorPair joint[stretch];
    std::uint32_t lambda_q8[stretch];
    std::int32_t offers[stretch];             ///< How many; the last is intra.
    Offer offer[stretch][most_offers];        ///< But for intra.
    std::uint32_t intra_cost[stretch];        ///< Costs as cost_of() has them.
    std::uint32_t cost[stretch][most_offers]; ///< UINT32_MAX: not offered.
};

class ModeLister {
  public:
    TANDEM_HOST_DEVICE ModeLister(const Warps& warps, const CodingTask& task, SliceExtent slice, ListScratch& scratch)
        : warps_(warps), task_(task), slice_(slice), scratch_(scratch),
          directions_(task.type == PictureType::bidirectional ? 2 : 1), f_code_{f_codes_of(task.direction[0]), {1, 1}} {
        if (directions_ == 2) f_code_[1] = f_codes_of(task.direction[1]);
    }

    /// What is offered to a macroblock does not depend on others; what it costs depends on the first mode listed for
    /// the one before. So only that one is found macroblock by macroblock, and the others' places behind it.
    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = ListScratch::stretch;
        for (int first = slice_.first; first < slice_.end; first += stretch) {
            const int count = slice_.end - first < stretch ? slice_.end - first : stretch;
            each(count, [&](const Lanes& lanes, int i) { make_offers(lanes, first + i, i); });
            warps_.each(1, [&](const Lanes& lanes, int) {
                for (int i = 0; i < count; ++i)
                    go_on(lanes, first + i, i);
            });
            each(count, [&](const Lanes& lanes, int i) { list(lanes, first + i, i); });
        }
    }

  private:
    using Offer = ListScratch::Offer;

    /// A step: work(lanes, i) for macroblocks 0 .. count - 1 of the stretch, by warps in turn.
    template <class Work> TANDEM_HOST_DEVICE void each(int count, const Work& work) const {
        warps_.each(ListScratch::warps, [&](const Lanes& lanes, int warp) {
            for (int i = warp; i < count; i += ListScratch::warps)
                work(lanes, i);
        });
    }

    TANDEM_HOST_DEVICE void make_offers(const Lanes& lanes, int macroblock, int i) {
        fetch(lanes, macroblock, i);
        const ListScratch::Vectors* vectors = scratch_.vectors[i];
        const int offers = directions_ == 1 ? vectors[0].count : 2 * (vectors[0].count + vectors[1].count) + 1;
        lanes.each(offers, [&](int k) { scratch_.offer[i][k] = offer(vectors, scratch_.joint[i], k); });
        lanes.once([&] {
            scratch_.offers[i] = offers + 1;
            scratch_.lambda_q8[i] = lambda_of(task_, macroblock);
            scratch_.intra_cost[i] = intra_cost(macroblock, scratch_.lambda_q8[i]);
        });
    }
    TANDEM_HOST_DEVICE void fetch(const Lanes& lanes, int macroblock, int i) {
        lanes.each(directions_ * VectorList::most, [&](int item) {
            const int k = item % VectorList::most, d = item / VectorList::most;
            const DirectionTask& direction = task_.direction[d];
            const VectorList& from = direction.lists[macroblock];
            ListScratch::Vectors& to = scratch_.vectors[i][d];
            if (k == 0 && d == 1) scratch_.joint[i] = task_.joint[macroblock];
            if (k == 0) {
                to.count = from.count;
                to.chosen = direction.chosen[macroblock].mv;
            }
            if (k >= from.count) return;
            to.mv[k] = from.mv[k];
            to.sad[k] = from.sad[k];
            if (directions_ == 2)
                to.mean_sad[k] = direction.mean_sad[static_cast<std::ptrdiff_t>(macroblock) * VectorList::most + k];
        });
    }

    /// The two that fit each other, unless both directions' vectors have them.
    TANDEM_HOST_DEVICE static Offer joint_offer(const ListScratch::Vectors* vectors, const VectorPair& joint) {
        bool is_repeated = false;
        for (int d = 0; d < 2; ++d) {
            for (int k = 0; k < vectors[d].count; ++k)
                is_repeated |= vectors[d].mv[k] == joint.mv[d] && vectors[1 - d].chosen == joint.mv[1 - d];
        }
        return {both_mode_of(joint.mv[0], joint.mv[1]), joint.sad, is_repeated};
    }
    /// What is offered number i beside intra: in B pictures a vector by itself, and with the other direction's, and
    /// last two that fit each other.
    TANDEM_HOST_DEVICE Offer offer(const ListScratch::Vectors* vectors, const VectorPair& joint, int i) const {
        if (directions_ == 1) return {forward_mode_of(vectors[0].mv[i]), vectors[0].sad[i], false};
        if (i == 2 * (vectors[0].count + vectors[1].count)) return joint_offer(vectors, joint);
        const int d = i < 2 * vectors[0].count ? 0 : 1, k = (d == 0 ? i : i - 2 * vectors[0].count) / 2;
        const Mv own = vectors[d].mv[k], other = vectors[1 - d].chosen;
        if (i % 2 == 0) return {d == 0 ? forward_mode_of(own) : backward_mode_of(own), vectors[d].sad[k], false};
        const Mode both = d == 0 ? both_mode_of(own, other) : both_mode_of(other, own);
        return {both, vectors[d].mean_sad[k], d == 1 && own == vectors[1].chosen};
    }

    TANDEM_HOST_DEVICE int bits(const Mode& mode) const {
        const CodingTables& tables = *task_.tables;
        const bool predicted = task_.type == PictureType::predicted;
        if (predicted && mode.forward == Mv{}) return type_bits_of(tables, task_.type, 0);
        if (!predicted && same_mode(mode, before_)) return 1; // Skipped, if its residual vanishes too.
        int sum = type_bits_of(tables, task_.type, mode.flags);
        if (mode.flags & mb_forward) sum += vector_bits_of(tables, mode.forward, forward_before_, f_code_[0]);
        if (mode.flags & mb_backward) sum += vector_bits_of(tables, mode.backward, backward_before_, f_code_[1]);
        return sum;
    }
    /// Added to each cost, so that none is negative, though intra_threshold may be, which is -2^16 at least.
    static constexpr std::int32_t cost_offset = 1 << 17;
    /// In 32 bits: distortions are less than 2^18, and so is the worth of a mode's bits.
    TANDEM_HOST_DEVICE static std::uint32_t cost_of(std::int32_t distortion, std::uint32_t lambda_q8, int bits) {
        return static_cast<std::uint32_t>(distortion + cost_offset) +
               (lambda_q8 * static_cast<std::uint32_t>(bits) >> 8);
    }
    TANDEM_HOST_DEVICE std::uint32_t intra_cost(int macroblock, std::uint32_t lambda_q8) const {
        constexpr int dc_bits_estimate = 36;
        return cost_of(static_cast<std::int32_t>(task_.deviation[macroblock]) + task_.intra_threshold, lambda_q8,
                       type_bits_of(*task_.tables, task_.type, mb_intra) + dc_bits_estimate);
    }

    /// What the offers cost, and on behind the cheapest, of equal ones the first.
    TANDEM_HOST_DEVICE void go_on(const Lanes& lanes, int macroblock, int i) {
        const int intra = scratch_.offers[i] - 1;
        const std::uint32_t least = lanes.least(intra + 1, [&](int k) {
            const Offer& offered = scratch_.offer[i][k];
            return scratch_.cost[i][k] = k == intra            ? scratch_.intra_cost[i]
                                         : offered.is_repeated ? UINT32_MAX
                                                               : cost_of(static_cast<std::int32_t>(offered.sad),
                                                                         scratch_.lambda_q8[i], bits(offered.mode));
        });
        const auto cheapest = static_cast<int>(lanes.least(intra + 1, [&](int k) {
            return scratch_.cost[i][k] == least ? static_cast<std::uint32_t>(k) : UINT32_MAX;
        }));
        const Mode mode =
            cheapest == intra || must_refresh(task_, macroblock) ? intra_mode_of() : scratch_.offer[i][cheapest].mode;
        if (mode.flags & mb_intra) forward_before_ = backward_before_ = {};
        if (mode.flags & mb_forward) forward_before_ = mode.forward;
        if (mode.flags & mb_backward) backward_before_ = mode.backward;
        before_ = mode;
    }

    /// Intra, offer number `intra`, gets the last place of a full list where it has none and costs hardly more than
    /// the first: coding/mpeg/decide.cpp says why.
    TANDEM_HOST_DEVICE static void try_intra_too(const Lanes& lanes, const std::uint32_t* cost, int intra,
                                                 ListedModes& listed) {
        const std::uint32_t before =
            lanes.sum(intra, [&](int k) { return static_cast<std::uint32_t>(cost[k] <= cost[intra]); });
        const std::uint32_t least = lanes.least(intra, [&](int k) { return cost[k]; });
        const auto plain = [](std::uint32_t with_offset) {
            return static_cast<std::int32_t>(with_offset) - cost_offset;
        };
        if (before < ModeList::most || 4 * plain(cost[intra]) > 5 * plain(least)) return;
        lanes.once([&] { listed.mode[ModeList::most - 1] = intra_mode_of(); });
    }

    /// An offer's place is the number of those that cost less, or the same and came first.
    TANDEM_HOST_DEVICE void list(const Lanes& lanes, int macroblock, int i) const {
        constexpr int most = ModeList::most;
        ListedModes& listed = task_.listed[macroblock];
        if (must_refresh(task_, macroblock)) {
            lanes.once([&] {
                listed.count = 1;
                listed.mode[0] = intra_mode_of();
            });
            return;
        }
        const int intra = scratch_.offers[i] - 1;
        const auto distinct = static_cast<int>(
            lanes.sum(intra + 1, [&](int k) { return static_cast<std::uint32_t>(scratch_.cost[i][k] != UINT32_MAX); }));
        lanes.once([&] { listed.count = distinct < most ? distinct : most; });
        lanes.each(intra + 1, [&](int k) {
            const std::uint32_t cost = scratch_.cost[i][k];
            int place = 0;
            for (int other = 0; other <= intra; ++other)
                place += scratch_.cost[i][other] < cost || (scratch_.cost[i][other] == cost && other < k) ? 1 : 0;
            if (place < most && cost != UINT32_MAX)
                listed.mode[place] = k == intra ? intra_mode_of() : scratch_.offer[i][k].mode;
        });
        if (distinct > most) try_intra_too(lanes, scratch_.cost[i], intra, listed);
    }

    const Warps& warps_;
    const CodingTask& task_;
    SliceExtent slice_;
    ListScratch& scratch_;
    int directions_;
    FCodes f_code_[2];
    Mv forward_before_, backward_before_; ///< 13818-2 clause 7.6.3.4. Of the first warp, as the next.
    Mode before_ = {0, {}, {}};           ///< The first listed of the macroblock to the left.
};

TANDEM_HOST_DEVICE inline void list_modes(const Warps& warps, const CodingTask& task, int slice, ListScratch& scratch) {
    ModeLister(warps, task, task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
