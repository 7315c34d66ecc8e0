// SPDX-License-Identifier: BSD-2-Clause
// A mode for each macroblock: decide_slice() of coding/mpeg/decide.h for the decisions cost, tm5 and sm3.
#pragma once

#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/mode_distortion.h"

namespace tandem::cuda {

TANDEM_HOST_DEVICE inline Mode intra_mode_of() { return {mb_intra, {}, {}}; }
TANDEM_HOST_DEVICE inline Mode forward_mode_of(Mv mv) { return {mb_forward, mv, {}}; }
TANDEM_HOST_DEVICE inline Mode backward_mode_of(Mv mv) { return {mb_backward, {}, mv}; }
TANDEM_HOST_DEVICE inline Mode both_mode_of(Mv forward, Mv backward) {
    return {mb_forward | mb_backward, forward, backward};
}

/// Whether a macroblock of a P picture was coded so often without intra that it has to be intra now.
TANDEM_HOST_DEVICE inline bool must_refresh(const CodingTask& task, int macroblock) {
    return task.type == PictureType::predicted && task.coded_before != nullptr &&
           task.coded_before[macroblock] + 1 >= task.intra_refresh;
}

TANDEM_HOST_DEVICE inline void store_mode(const CodingTask& task, int macroblock, const Mode& mode) {
    task.decided[macroblock] = mode.flags;
    task.forward[macroblock] = mode.forward;
    task.backward[macroblock] = mode.backward;
}

/// The cheapest mode so far by SAD + lambda * bits; of equal ones the first.
struct CheapestMode {
    std::uint32_t lambda_q8;
    std::int64_t least = INT64_MAX;
    Mode mode = {};

    TANDEM_HOST_DEVICE void offer(const Mode& offered, std::int64_t distortion, int bits) {
        const std::int64_t cost = distortion + ((static_cast<std::int64_t>(lambda_q8) * bits) >> 8);
        if (cost >= least) return;
        least = cost;
        mode = offered;
    }
    TANDEM_HOST_DEVICE void offer_intra(const CodingTask& task, int macroblock) {
        // Six DCs at about 6 bits each: coarse, but the AC part is what the deviation stands for.
        constexpr int dc_bits_estimate = 36;
        offer(intra_mode_of(), static_cast<std::int64_t>(task.deviation[macroblock]) + task.intra_threshold,
              type_bits_of(*task.tables, task.type, mb_intra) + dc_bits_estimate);
    }
};

TANDEM_HOST_DEVICE inline std::uint32_t lambda_of(const CodingTask& task, int macroblock) {
    return task.tables->sad_lambda_q8[task.wanted_code[macroblock]];
}

/// Of a macroblock of a P picture, by `cost`, where `before` predicts its vector.
TANDEM_HOST_DEVICE inline Mode cheapest_predicted(const CodingTask& task, FCodes f_code, int macroblock, Mv before) {
    if (must_refresh(task, macroblock)) return intra_mode_of();
    const ChosenVector found = task.direction[0].chosen[macroblock];
    const CodingTables& tables = *task.tables;
    CheapestMode choice{lambda_of(task, macroblock)};
    const int no_vector_bits = type_bits_of(tables, task.type, 0);
    choice.offer(forward_mode_of({}), found.sad_zero, no_vector_bits);
    const int bits = found.mv == Mv{} ? no_vector_bits
                                      : type_bits_of(tables, task.type, mb_forward) +
                                            vector_bits_of(tables, found.mv, before, f_code);
    choice.offer(forward_mode_of(found.mv), found.sad, bits);
    choice.offer_intra(task, macroblock);
    return choice.mode;
}

struct DecideScratch {
    static constexpr int stretch = 64; ///< Macroblocks.
    /// What they become after one that keeps its chosen vector, and after one that leaves no vector.
    Mode after_vector[stretch], after_none[stretch];
    bool keeps_vector; ///< Of the macroblock before.
};

/// A slice of a P picture. The vector that predicts is the chosen one of the macroblock before or zero, so both modes
/// are found side by side, and only which of them it is goes from macroblock to macroblock.
TANDEM_HOST_DEVICE inline void decide_predicted(const Lanes& lanes, const CodingTask& task, SliceExtent slice,
                                                DecideScratch& scratch) {
    const FCodes f_code = f_codes_of(task.direction[0]);
    const ChosenVector* chosen = task.direction[0].chosen;
    lanes.once([&] { scratch.keeps_vector = false; });
    for (int first = slice.first; first < slice.end; first += DecideScratch::stretch) {
        const int count = slice.end - first < DecideScratch::stretch ? slice.end - first : DecideScratch::stretch;
        lanes.each(count, [&](int i) {
            const int macroblock = first + i;
            scratch.after_none[i] = cheapest_predicted(task, f_code, macroblock, {});
            if (macroblock > slice.first)
                scratch.after_vector[i] = cheapest_predicted(task, f_code, macroblock, chosen[macroblock - 1].mv);
        });
        lanes.once([&] {
            bool keeps = scratch.keeps_vector;
            for (int i = 0; i < count; ++i) {
                if (!keeps) scratch.after_vector[i] = scratch.after_none[i];
                keeps = (scratch.after_vector[i].flags & mb_forward) != 0 && !(scratch.after_vector[i].forward == Mv{});
            }
            scratch.keeps_vector = keeps;
        });
        lanes.each(count, [&](int i) { store_mode(task, first + i, scratch.after_vector[i]); });
    }
}

/// A slice of a B picture by `cost`, one macroblock after the other.
TANDEM_HOST_DEVICE inline void decide_bidirectional(const Lanes& lanes, const CodingTask& task, SliceExtent slice) {
    const FCodes f_code[2] = {f_codes_of(task.direction[0]), f_codes_of(task.direction[1])};
    const CodingTables& tables = *task.tables;
    Mv forward_before, backward_before; // 13818-2 clause 7.6.3.4.
    Mode before{0, {}, {}};
    for (int macroblock = slice.first; macroblock < slice.end; ++macroblock) {
        const ChosenVector forward = task.direction[0].chosen[macroblock];
        const ChosenVector backward = task.direction[1].chosen[macroblock];
        const int forward_bits = vector_bits_of(tables, forward.mv, forward_before, f_code[0]);
        const int backward_bits = vector_bits_of(tables, backward.mv, backward_before, f_code[1]);
        CheapestMode choice{lambda_of(task, macroblock)};
        const auto offer = [&](const Mode& mode, std::uint32_t sad, int bits) {
            // Skipped, if its residual vanishes too.
            choice.offer(mode, sad, same_mode(mode, before) ? 1 : type_bits_of(tables, task.type, mode.flags) + bits);
        };
        offer(forward_mode_of(forward.mv), forward.sad, forward_bits);
        offer(backward_mode_of(backward.mv), backward.sad, backward_bits);
        offer(both_mode_of(forward.mv, backward.mv), task.both_sad[macroblock], forward_bits + backward_bits);
        const int x = task.left(macroblock), y = task.top(macroblock);
        const bool can_repeat = (before.flags & (mb_forward | mb_backward)) != 0 &&
                                inside_picture(before.forward, x, y, task.columns * 16, task.rows * 16) &&
                                inside_picture(before.backward, x, y, task.columns * 16, task.rows * 16);
        if (can_repeat) offer(before, absolute_differences(lanes, task, before, macroblock), 0);
        choice.offer_intra(task, macroblock);
        const Mode mode = choice.mode;
        lanes.once([&] { store_mode(task, macroblock, mode); });
        if (mode.flags & mb_intra) forward_before = backward_before = {};
        if (mode.flags & mb_forward) forward_before = mode.forward;
        if (mode.flags & mb_backward) backward_before = mode.backward;
        before = mode;
    }
}

/// The rules that look at one macroblock alone: Test Model 5 and Simulation Model 3.
class RuleOfOne {
  public:
    TANDEM_HOST_DEVICE RuleOfOne(const Lanes& lanes, const CodingTask& task, int macroblock)
        : lanes_(lanes), task_(task), macroblock_(macroblock) {}

    TANDEM_HOST_DEVICE Mode mode() const {
        if (must_refresh(task_, macroblock_)) return intra_mode_of();
        if (task_.type == PictureType::bidirectional) return bidirectional();
        return task_.decision == Decision::tm5 ? tm5_predicted() : sm3_predicted();
    }

  private:
    TANDEM_HOST_DEVICE std::uint32_t squared_error(const Mode& mode) const {
        return squared_differences(lanes_, task_, mode, macroblock_);
    }
    /// 256 times the variance of the source.
    TANDEM_HOST_DEVICE std::uint32_t variance() const {
        const std::uint8_t* at = task_.source.plane[0] +
                                 static_cast<std::ptrdiff_t>(task_.top(macroblock_)) * task_.source.stride[0] +
                                 task_.left(macroblock_);
        std::uint32_t sums[2];
        lanes_.add_up(
            256,
            [&](int i, std::uint32_t(&parts)[2]) {
                const std::uint32_t sample = at[static_cast<std::ptrdiff_t>(i / 16) * task_.source.stride[0] + i % 16];
                parts[0] += sample;
                parts[1] += sample * sample;
            },
            sums);
        return sums[1] - static_cast<std::uint32_t>(static_cast<std::uint64_t>(sums[0]) * sums[0] / 256);
    }
    TANDEM_HOST_DEVICE bool is_intra(std::uint32_t error) const {
        const bool is_large = task_.decision == Decision::tm5 ? error >= 9 * 256 : error > 64 * 256;
        const std::int64_t other = static_cast<std::int64_t>(error) + (task_.decision == Decision::tm5 ? 0 : 1);
        return is_large && static_cast<std::int64_t>(variance()) + task_.intra_threshold < other;
    }
    TANDEM_HOST_DEVICE Mode bidirectional() const {
        const Mv forward = task_.direction[0].chosen[macroblock_].mv,
                 backward = task_.direction[1].chosen[macroblock_].mv;
        Mode best = forward_mode_of(forward);
        std::uint32_t error = squared_error(best);
        const auto offer = [&](const Mode& mode) {
            const std::uint32_t other = squared_error(mode);
            if (other >= error) return;
            error = other;
            best = mode;
        };
        offer(backward_mode_of(backward));
        offer(both_mode_of(forward, backward));
        return is_intra(error) ? intra_mode_of() : best;
    }
    TANDEM_HOST_DEVICE Mode tm5_predicted() const {
        const Mode moved = forward_mode_of(task_.direction[0].chosen[macroblock_].mv);
        const std::uint32_t moved_error = squared_error(moved);
        if (is_intra(moved_error)) return intra_mode_of();
        const std::uint64_t still_error = squared_error(forward_mode_of({}));
        const bool moves = 4 * still_error > 5 * static_cast<std::uint64_t>(moved_error) && still_error >= 9 * 256;
        return moves ? moved : forward_mode_of({});
    }
    TANDEM_HOST_DEVICE Mode sm3_predicted() const {
        const ChosenVector found = task_.direction[0].chosen[macroblock_];
        const std::uint64_t still = found.sad_zero, moved = found.sad;
        const bool stays = still <= 256 || (still < 768 ? 2 * moved >= still : 11 * moved >= 10 * still);
        const Mode mode = forward_mode_of(stays ? Mv{} : found.mv);
        return is_intra(squared_error(mode)) ? intra_mode_of() : mode;
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    int macroblock_;
};

TANDEM_HOST_DEVICE inline void decide_by_rule(const Lanes& lanes, const CodingTask& task, int macroblock) {
    const Mode mode = RuleOfOne(lanes, task, macroblock).mode();
    lanes.once([&] { store_mode(task, macroblock, mode); });
}

/// A slice by `cost`.
TANDEM_HOST_DEVICE inline void decide_slice(const Lanes& lanes, const CodingTask& task, int slice,
                                            DecideScratch& scratch) {
    const SliceExtent extent = task.slice[slice];
    switch (task.type) {
    case PictureType::intra:
        lanes.each(extent.end - extent.first, [&](int i) { store_mode(task, extent.first + i, intra_mode_of()); });
        break;
    case PictureType::predicted:
        decide_predicted(lanes, task, extent, scratch);
        break;
    case PictureType::bidirectional:
        decide_bidirectional(lanes, task, extent);
        break;
    }
}

} // namespace tandem::cuda
