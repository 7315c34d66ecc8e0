// SPDX-License-Identifier: BSD-2-Clause
// The cheapest mode of each macroblock of a slice, one after the other: code_by_rate_distortion() of
// coding/mpeg/rate_distortion.h. What listed modes come to is known (try_modes.h); a macroblock is coded here only in
// the mode of the one before it, where that is not among its own, a block by each warp.
#pragma once

#include "cuda/coding/kernels/code_blocks.h"
#include "cuda/coding/kernels/slice_prediction.h"

namespace tandem::cuda {

struct SettleScratch {
    static constexpr int stretch = 12; ///< Macroblocks.
    static constexpr int warps = 6;    ///< A block each.
    static constexpr int options = 4 + ListedModes::most;
    ListedModes listed[stretch];
    Trial trials[stretch][ListedModes::most];
    std::uint32_t still_error[stretch];

    SlicePrediction prediction; ///< Behind the macroblock before.
    Mode before;                ///< Of that; no flags at the start of the slice.

    // Of the macroblock at hand.
    bool may_repeat;         ///< Whether it is tried in the mode before.
    std::int32_t repeated;   ///< Which of the listed that is; -1: none.
    Trial repetition[warps]; ///< By block.
    bool is_cut[2][warps];   ///< The same, by turns of the quantiser.
    std::int64_t cost[options];
    BlocksScratch<1> blocks[warps];
};

class ModeSettler {
  public:
    TANDEM_HOST_DEVICE ModeSettler(const Warps& warps, const CodingTask& task, SliceExtent slice,
                                   SettleScratch& scratch)
        : warps_(warps), task_(task), slice_(slice), scratch_(scratch) {}

    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = SettleScratch::stretch;
        for (int first = slice_.first; first < slice_.end; first += stretch) {
            const int count = slice_.end - first < stretch ? slice_.end - first : stretch;
            fetch(first, count);
            for (int i = 0; i < count; ++i)
                settle(first + i, i);
        }
    }

  private:
    TANDEM_HOST_DEVICE void fetch(int first, int count) {
        warps_.each(SettleScratch::warps, [&](const Lanes& lanes, int warp) {
            for (int i = warp; i < count; i += SettleScratch::warps) {
                const std::ptrdiff_t macroblock = first + i;
                lanes.each(ListedModes::most,
                           [&](int k) { scratch_.trials[i][k] = task_.trials[macroblock * ListedModes::most + k]; });
                lanes.once([&] {
                    scratch_.listed[i] = task_.listed[macroblock];
                    scratch_.still_error[i] = task_.type == PictureType::predicted ? task_.still_error[macroblock] : 0;
                });
            }
            if (warp != 0 || first != slice_.first) return;
            lanes.once([&] {
                scratch_.prediction.start(task_, slice_);
                scratch_.before = {0, {}, {}};
            });
        });
    }

    TANDEM_HOST_DEVICE void settle(int macroblock, int i) {
        warps_.each(1, [&](const Lanes& lanes, int) { lanes.once([&] { compare_with_before(macroblock, i); }); });
        if (scratch_.may_repeat && scratch_.repeated < 0) code_repetition(macroblock);
        warps_.each(1, [&](const Lanes& lanes, int) {
            lanes.each(SettleScratch::options,
                       [&](int number) { scratch_.cost[number] = cost_of(option(macroblock, i, number), macroblock); });
            lanes.once([&] { take_cheapest(macroblock, i); });
        });
    }

    /// In a P picture, a macroblock without a vector to choose keeps zero.
    TANDEM_HOST_DEVICE void compare_with_before(int macroblock, int i) {
        const ListedModes& listed = scratch_.listed[i];
        const Mode& before = scratch_.before;
        bool keeps_zero = task_.type == PictureType::predicted;
        scratch_.repeated = -1;
        for (int k = 0; k < listed.count; ++k) {
            keeps_zero = keeps_zero && listed.mode[k].forward == Mv{};
            if (same_mode(listed.mode[k], before)) scratch_.repeated = k;
        }
        const int x = task_.left(macroblock), y = task_.top(macroblock);
        scratch_.may_repeat = listed.count > 1 && !keeps_zero && (before.flags & (mb_forward | mb_backward)) != 0 &&
                              inside_picture(before.forward, x, y, task_.columns * 16, task_.rows * 16) &&
                              inside_picture(before.backward, x, y, task_.columns * 16, task_.rows * 16);
    }

    TANDEM_HOST_DEVICE void code_repetition(int macroblock) {
        int step = task_.wanted_code[macroblock] - task_.first_code;
        while (code_repetition(macroblock, step))
            ++step;
    }
    /// True where a level may have been cut.
    TANDEM_HOST_DEVICE bool code_repetition(int macroblock, int step) {
        bool(&is_cut)[SettleScratch::warps] = scratch_.is_cut[step & 1];
        warps_.each(SettleScratch::warps, [&](const Lanes& lanes, int block) {
            BlocksCoder<1> coder(lanes, task_, macroblock, scratch_.before, block, scratch_.blocks[block]);
            coder.predict();
            const std::uint32_t alone_error = coder.transform();
            const bool cut = coder.quantise(step);
            const std::uint32_t bits = coder.bits();
            coder.rebuild(step);
            const std::uint32_t error = coder.error();
            const int pattern = coder.pattern();
            lanes.once([&] {
                Trial& trial = scratch_.repetition[block];
                trial.error = error;
                trial.alone_error = alone_error;
                trial.bits = bits;
                trial.pattern = static_cast<std::uint8_t>(pattern);
                trial.code = static_cast<std::uint8_t>(task_.ladder[step].code);
                is_cut[block] = cut;
            });
        });
        bool any = false;
        for (const bool cut : is_cut)
            any = any || cut;
        return any;
    }
    /// Of all blocks.
    TANDEM_HOST_DEVICE Trial repetition() const {
        Trial all = scratch_.repetition[0];
        for (int block = 1; block < SettleScratch::warps; ++block) {
            const Trial& trial = scratch_.repetition[block];
            all.error += trial.error;
            all.alone_error += trial.alone_error;
            all.bits += trial.bits;
            all.pattern = static_cast<std::uint8_t>(all.pattern << 1 | trial.pattern);
        }
        return all;
    }

    /// A way to code the macroblock, with a residual or without.
    struct Option {
        bool exists;
        bool alone;
        Mode mode;
        std::uint32_t error;
        CodedMacroblock coded;
    };
    TANDEM_HOST_DEVICE Option with_residual(int macroblock, const Mode& mode, const Trial& trial,
                                            const std::int16_t* dc) const {
        return {true, false, mode, trial.error, coded_as(macroblock, mode, trial.pattern, trial.code, trial.bits, dc)};
    }
    TANDEM_HOST_DEVICE Option without(int macroblock, const Mode& mode, std::uint32_t error) const {
        return {true, true, mode, error, coded_as(macroblock, mode, 0, 0, 0, nullptr)};
    }
    TANDEM_HOST_DEVICE CodedMacroblock coded_as(int macroblock, const Mode& mode, int pattern, int code,
                                                std::uint32_t bits, const std::int16_t* dc) const {
        const bool inside = macroblock != slice_.first && macroblock != slice_.end - 1;
        return {macroblock,   settled_flags(task_.type, mode, scratch_.before, pattern, inside),
                mode.forward, mode.backward,
                pattern,      code,
                bits,         dc};
    }

    /// In the order of their trials on the CPU: of those that cost the same the last is taken.
    TANDEM_HOST_DEVICE Option option(int macroblock, int i, int number) const {
        const ListedModes& listed = scratch_.listed[i];
        const Trial* trials = scratch_.trials[i];
        const bool is_tried = listed.count > 1;
        if (number == 0 && is_tried && task_.type == PictureType::predicted)
            return without(macroblock, {mb_forward, {}, {}}, scratch_.still_error[i]);
        if (number == 1 && scratch_.may_repeat)
            return without(macroblock, scratch_.before,
                           scratch_.repeated < 0 ? repetition().alone_error : trials[scratch_.repeated].alone_error);
        if (number == 2 && scratch_.may_repeat && scratch_.repeated < 0)
            return with_residual(macroblock, scratch_.before, repetition(), nullptr);
        if (number == 3 && is_tried && (listed.mode[0].flags & mb_intra) == 0)
            return without(macroblock, listed.mode[0], trials[0].alone_error);
        const int k = SettleScratch::options - 1 - number;
        if (number > 3 && k < listed.count) return with_residual(macroblock, listed.mode[k], trials[k], trials[k].dc);
        Option none{};
        none.exists = false;
        return none;
    }

    TANDEM_HOST_DEVICE std::int64_t cost_of(const Option& option, int macroblock) const {
        if (!option.exists) return INT64_MAX;
        const std::uint32_t lambda_q6 = task_.ladder[task_.wanted_code[macroblock] - task_.first_code].lambda_q6;
        const std::int64_t threshold = option.mode.flags & mb_intra ? task_.intra_threshold : 0;
        const std::int64_t bits = scratch_.prediction.bits(task_, option.coded);
        return 64 * (option.error + threshold) + lambda_q6 * bits;
    }

    TANDEM_HOST_DEVICE void take_cheapest(int macroblock, int i) {
        int cheapest = SettleScratch::options - 1;
        for (int number = cheapest - 1; number >= 0; --number)
            cheapest = scratch_.cost[number] < scratch_.cost[cheapest] ? number : cheapest;
        const Option taken = option(macroblock, i, cheapest);
        scratch_.prediction.follow(task_, taken.coded);
        scratch_.before = taken.mode;
        store_mode(task_, macroblock, taken.mode);
        task_.alone[macroblock] = static_cast<std::uint8_t>(taken.alone);
    }

    const Warps& warps_;
    const CodingTask& task_;
    SliceExtent slice_;
    SettleScratch& scratch_;
};

TANDEM_HOST_DEVICE inline void settle_modes(const Warps& warps, const CodingTask& task, int slice,
                                            SettleScratch& scratch) {
    ModeSettler(warps, task, task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
