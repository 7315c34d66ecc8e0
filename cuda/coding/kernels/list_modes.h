// SPDX-License-Identifier: BSD-2-Clause
// The modes that a macroblock is tried in: decide_slice() of coding/mpeg/decide.h for Decision::rd. Of what is offered,
// in its order there, those of least SAD + lambda * bits are listed.
#pragma once

#include "cuda/coding/kernels/block_arithmetic.h"
#include "cuda/coding/kernels/decide_modes.h"

namespace tandem::cuda {

struct MeanScratch {
    std::uint8_t source[256], other[256]; ///< Luma: the macroblock's, and what the other direction predicts.
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
    lanes.each(256, [&](int i) {
        scratch.source[i] = static_cast<std::uint8_t>(source(i % 16, i / 16));
        scratch.other[i] = static_cast<std::uint8_t>(other_samples(i % 16, i / 16));
    });
    for (int k = 0; k < count; ++k) {
        const DisplacedSamples predicted(own.reference, 0, left, top, list.mv[k]);
        const std::uint32_t sad = lanes.sum(256, [&](int i) {
            return static_cast<std::uint32_t>(
                magnitude_of(scratch.source[i] - ((predicted(i % 16, i / 16) + scratch.other[i] + 1) >> 1)));
        });
        lanes.once([&] { own.mean_sad[static_cast<std::ptrdiff_t>(macroblock) * VectorList::most + k] = sad; });
    }
}

struct ListScratch {
    static constexpr int stretch = 8; ///< Macroblocks.
    static constexpr int most_offers = 4 * VectorList::most + 2;
    /// What is offered, by direction.
    struct Vectors {
        std::int32_t count;
        Mv chosen;
        Mv mv[VectorList::most];
        std::uint32_t sad[VectorList::most], mean_sad[VectorList::most];
    };
    Vectors vectors[stretch][2];
    VectorPair joint[stretch];
    std::int64_t cost[most_offers];
    ListedModes listed[stretch];
};

class ModeLister {
  public:
    TANDEM_HOST_DEVICE ModeLister(const Lanes& lanes, const CodingTask& task, SliceExtent slice, ListScratch& scratch)
        : lanes_(lanes), task_(task), slice_(slice), scratch_(scratch),
          directions_(task.type == PictureType::bidirectional ? 2 : 1), f_code_{f_codes_of(task.direction[0]), {1, 1}} {
        if (directions_ == 2) f_code_[1] = f_codes_of(task.direction[1]);
    }

    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = ListScratch::stretch;
        for (int first = slice_.first; first < slice_.end; first += stretch) {
            const int count = slice_.end - first < stretch ? slice_.end - first : stretch;
            fetch(first, count);
            for (int i = 0; i < count; ++i)
                list(first + i, i);
            lanes_.each(count, [&](int i) { task_.listed[first + i] = scratch_.listed[i]; });
        }
    }

  private:
    TANDEM_HOST_DEVICE void fetch(int first, int count) {
        lanes_.each(count * directions_ * VectorList::most, [&](int item) {
            const int k = item % VectorList::most, d = item / VectorList::most % directions_,
                      i = item / VectorList::most / directions_, macroblock = first + i;
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

    /// A mode with its SAD. Twice the same is offered once.
    struct Offer {
        Mode mode;
        std::uint32_t sad;
        bool is_repeated;
    };
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
    TANDEM_HOST_DEVICE std::int64_t cost_of(int macroblock, std::int64_t distortion, int bits) const {
        return distortion + ((static_cast<std::int64_t>(lambda_of(task_, macroblock)) * bits) >> 8);
    }
    TANDEM_HOST_DEVICE std::int64_t intra_cost(int macroblock) const {
        constexpr int dc_bits_estimate = 36;
        return cost_of(macroblock, static_cast<std::int64_t>(task_.deviation[macroblock]) + task_.intra_threshold,
                       type_bits_of(*task_.tables, task_.type, mb_intra) + dc_bits_estimate);
    }

    /// Fills listed[i] and goes on behind the first mode there.
    TANDEM_HOST_DEVICE void list(int macroblock, int i) {
        ListedModes& listed = scratch_.listed[i];
        if (must_refresh(task_, macroblock)) {
            lanes_.once([&] {
                listed.count = 1;
                listed.mode[0] = intra_mode_of();
            });
        } else {
            list_cheapest(macroblock, i, listed);
        }
        const Mode mode = listed.mode[0];
        if (mode.flags & mb_intra) forward_before_ = backward_before_ = {};
        if (mode.flags & mb_forward) forward_before_ = mode.forward;
        if (mode.flags & mb_backward) backward_before_ = mode.backward;
        before_ = mode;
    }

    /// An offer's place is the number of those that cost less, or the same and came first.
    TANDEM_HOST_DEVICE void list_cheapest(int macroblock, int at, ListedModes& listed) {
        const ListScratch::Vectors* vectors = scratch_.vectors[at];
        const VectorPair& joint = scratch_.joint[at];
        const int intra = directions_ == 1 ? vectors[0].count : 2 * (vectors[0].count + vectors[1].count) + 1;
        lanes_.each(intra + 1, [&](int i) {
            if (i == intra) {
                scratch_.cost[i] = intra_cost(macroblock);
                return;
            }
            const Offer offered = offer(vectors, joint, i);
            scratch_.cost[i] = offered.is_repeated ? INT64_MAX : cost_of(macroblock, offered.sad, bits(offered.mode));
        });
        constexpr int most = ModeList::most;
        lanes_.once([&] {
            int distinct = 0;
            for (int i = 0; i <= intra; ++i)
                distinct += scratch_.cost[i] != INT64_MAX ? 1 : 0;
            listed.count = distinct < most ? distinct : most;
        });
        lanes_.each(intra + 1, [&](int i) {
            const std::int64_t cost = scratch_.cost[i];
            int place = 0;
            for (int j = 0; j <= intra; ++j)
                place += scratch_.cost[j] < cost || (scratch_.cost[j] == cost && j < i) ? 1 : 0;
            if (place < most && cost != INT64_MAX)
                listed.mode[place] = i == intra ? intra_mode_of() : offer(vectors, joint, i).mode;
        });
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    SliceExtent slice_;
    ListScratch& scratch_;
    int directions_;
    FCodes f_code_[2];
    Mv forward_before_, backward_before_; ///< 13818-2 clause 7.6.3.4.
    Mode before_ = {0, {}, {}};           ///< The first listed of the macroblock to the left.
};

TANDEM_HOST_DEVICE inline void list_modes(const Lanes& lanes, const CodingTask& task, int slice, ListScratch& scratch) {
    ModeLister(lanes, task, task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
