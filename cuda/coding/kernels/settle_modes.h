// SPDX-License-Identifier: BSD-2-Clause
// The modes of a slice's macroblocks that are cheapest together: code_by_rate_distortion() of
// coding/mpeg/rate_distortion.h. What listed modes come to is known (try_modes.h); what is found out here is what the
// modes of the ways to the macroblock before predict, and what comes of the cheapest of them with a residual, where
// that is not listed: a block by each warp.
#pragma once

#include "cuda/coding/kernels/settle_scratch.h"

namespace tandem::cuda {

class ModeSettler {
  public:
    TANDEM_HOST_DEVICE ModeSettler(const Warps& warps, const CodingTask& task, SliceExtent slice,
                                   SettleScratch& scratch)
        : warps_(warps), task_(task), slice_(slice), scratch_(scratch), dc_(1024 / task.ladder[0].intra.dc_multiplier),
          left_(task.left(slice.first)), top_(task.top(slice.first)) {}

    TANDEM_HOST_DEVICE void run() {
        constexpr int stretch = SettleScratch::stretch;
        for (int first = slice_.first; first < slice_.end; first += stretch) {
            const int count = slice_.end - first < stretch ? slice_.end - first : stretch;
            fetch(first, count);
            for (int i = 0; i < count; ++i) {
                extend_ways(first + i, i);
                step_right();
            }
        }
        warps_.each(1, [&](const Lanes& lanes, int) { take_cheapest_way(lanes); });
    }

  private:
    using Way = SettleScratch::Way;
    using Option = SettleScratch::Option;

    /// Numbers of options, in the order of their trials on the CPU: those listed, the first of them without a residual,
    /// in P pictures nothing at all, the modes of the ways without one, and the cheapest's with one.
    static constexpr int front_alone = ListedModes::most, still = front_alone + 1, first_way = still + 1,
                         repeated = first_way + most_ways;
    static_assert(repeated + 1 == SettleScratch::options);

    TANDEM_HOST_DEVICE void fetch(int first, int count) {
        warps_.each(SettleScratch::warps, [&](const Lanes& lanes, int warp) {
            for (int i = warp; i < count; i += SettleScratch::warps) {
                const std::ptrdiff_t macroblock = first + i;
                lanes.once([&] {
                    scratch_.listed[i] = task_.listed[macroblock];
                    scratch_.still_error[i] = task_.type == PictureType::predicted ? task_.still_error[macroblock] : 0;
                    scratch_.lambda_q6[i] = task_.ladder[task_.wanted_code[macroblock] - task_.first_code].lambda_q6;
                });
                lanes.each(ListedModes::most, [&](int k) {
                    scratch_.trials[i][k] = task_.trials[macroblock * ListedModes::most + k];
                    scratch_.listed_key[i][k] =
                        k < scratch_.listed[i].count ? key_of(scratch_.listed[i].mode[k]) : no_mode;
                });
            }
            if (warp != 0 || first != slice_.first) return;
            lanes.once([&] {
                scratch_.way_count = 1;
                scratch_.ways[0][0].cost = 0;
                scratch_.ways[0][0].prediction.start(task_, slice_, dc_);
                scratch_.ways[0][0].mode = {0, {}, {}};
                scratch_.ways[0][0].key = key_of(scratch_.ways[0][0].mode);
            });
        });
    }

    TANDEM_HOST_DEVICE void step_right() {
        left_ += 16;
        if (left_ < task_.columns * 16) return;
        left_ = 0;
        top_ += 16;
    }

    TANDEM_HOST_DEVICE void extend_ways(int macroblock, int i) {
        constexpr int warps = SettleScratch::warps;
        warps_.each(2, [&](const Lanes& lanes, int warp) {
            if (warp == 0) {
                make_options_of_ways(lanes, macroblock, i);
            } else {
                lanes.each(first_way, [&](int number) { make_option_of_its_own(macroblock, i, number); });
            }
        });
        if (scratch_.is_repeated) {
            code_repetition(macroblock);
            warps_.each(1, [&](const Lanes& lanes, int) { join_blocks(lanes, macroblock, i); });
        } else if (scratch_.unknown != 0) {
            warps_.each(warps, [&](const Lanes& lanes, int warp) { find_out(lanes, warp, warps); });
        }
        warps_.each(warps, [&](const Lanes& lanes, int warp) {
            constexpr int share = (SettleScratch::options * most_ways + warps - 1) / warps;
            lanes.each(share, [&](int item) {
                const int number = (warp * share + item) / most_ways, k = (warp * share + item) % most_ways;
                if (number >= SettleScratch::options) return;
                const bool exists = k < scratch_.way_count && scratch_.option[number].exists;
                scratch_.cost[number][k] =
                    exists ? cost_of(scratch_.option[number], before(k), scratch_.lambda_q6[i]) * most_ways + k
                           : INT64_MAX;
            });
        });
        warps_.each(1, [&](const Lanes& lanes, int) { keep_cheapest(lanes, macroblock); });
        turn_ = 1 - turn_;
    }

    TANDEM_HOST_DEVICE const Way& before(int k) const { return scratch_.ways[turn_][k]; }

    /// Whether there is a choice; a macroblock that has to be intra has none.
    TANDEM_HOST_DEVICE bool is_tried(int i) const { return scratch_.listed[i].count > 1; }
    TANDEM_HOST_DEVICE bool is_predicted() const { return task_.type == PictureType::predicted; }

    /// An option before those of ways.
    TANDEM_HOST_DEVICE void make_option_of_its_own(int macroblock, int i, int number) {
        const ListedModes& listed = scratch_.listed[i];
        if (number < ListedModes::most) {
            Option option = with_residual(macroblock, listed.mode[number], scratch_.listed_key[i][number],
                                          scratch_.trials[i][number]);
            option.exists = number < listed.count;
            scratch_.option[number] = option;
            return;
        }
        const Mode mode = number == still ? still_mode() : listed.mode[0];
        const std::uint64_t nothing = key_of(still_mode()), front = scratch_.listed_key[i][0];
        const int own = number == still ? place_of(nothing, scratch_.listed_key[i]) : 0;
        Option option = without(macroblock, mode, number == still ? nothing : front, alone_error(i, own));
        const bool is_one = number == still ? is_predicted() && front != nothing : (mode.flags & mb_intra) == 0;
        option.exists = is_tried(i) && is_one && has_levels(i, own);
        scratch_.option[number] = option;
    }
    /// Of the listed mode `own`; of none that is listed, what zero predicts.
    TANDEM_HOST_DEVICE std::uint32_t alone_error(int i, int own) const {
        return own >= 0 ? scratch_.trials[i][own].alone_error : scratch_.still_error[i];
    }
    /// False where to code the listed mode `own` without a residual is nothing new.
    TANDEM_HOST_DEVICE bool has_levels(int i, int own) const { return own < 0 || scratch_.trials[i][own].pattern != 0; }

    TANDEM_HOST_DEVICE void make_options_of_ways(const Lanes& lanes, int macroblock, int i) {
        // In a P picture, a macroblock without a vector to choose keeps zero.
        bool keeps_zero = is_predicted();
        TANDEM_UNROLLED
        for (int k = 0; k < ListedModes::most; ++k) {
            const std::uint64_t key = scratch_.listed_key[i][k]; // Forward vectors alone.
            keeps_zero = keeps_zero && (key == no_mode || key >> 31 == key_of(still_mode()) >> 31);
        }
        const bool may_repeat = is_tried(i) && !keeps_zero;
        const std::uint64_t unknown =
            lanes.mask64([&](int k) { return k < most_ways && make_option_of_way(macroblock, i, k, may_repeat); });
        lanes.once([&] { scratch_.unknown = unknown; });
    }
    /// True where what its mode predicts is still to be found out.
    TANDEM_HOST_DEVICE bool make_option_of_way(int macroblock, int i, int k, bool may_repeat) {
        const Way& way = before(k);
        const std::uint64_t key = way.key;
        const int own = place_of(key, scratch_.listed_key[i]);
        const bool repeats = may_repeat && k < scratch_.way_count && task_.fits(way.mode, left_, top_);
        const bool is_tried_before = key == scratch_.listed_key[i][0] || !has_levels(i, own) ||
                                     (is_predicted() && key == key_of(still_mode())) || is_of_way_before(key, k);
        Option option = without(macroblock, way.mode, key, alone_error(i, own));
        option.exists = repeats && !is_tried_before;
        scratch_.option[first_way + k] = option;
        if (k == 0) {
            scratch_.is_repeated = repeats && own < 0;
            scratch_.option[repeated].exists = false;
        }
        return option.exists && own < 0;
    }
    /// The errors of ways' predictions that one of so many warps has to find out.
    TANDEM_HOST_DEVICE void find_out(const Lanes& lanes, int warp, int warps) {
        int turn = 0;
        for (std::uint64_t left = scratch_.unknown; left != 0; left &= left - 1) {
            if (turn++ % warps != warp) continue;
            const int k = lowest_bit(left);
            const std::uint32_t error = prediction_error(lanes, task_, before(k).mode, left_, top_);
            lanes.once([&] { scratch_.option[first_way + k].error = error; });
        }
    }
    TANDEM_HOST_DEVICE static Mode still_mode() { return {mb_forward, {}, {}}; }
    /// Which of the modes it is; -1: none.
    TANDEM_HOST_DEVICE static int place_of(std::uint64_t key, const std::uint64_t (&keys)[ListedModes::most]) {
        int place = -1;
        TANDEM_UNROLLED
        for (int k = 0; k < ListedModes::most; ++k)
            place = keys[k] == key ? k : place;
        return place;
    }
    TANDEM_HOST_DEVICE bool is_of_way_before(std::uint64_t key, int k) const {
        bool is_one = false;
        TANDEM_UNROLLED
        for (int other = 0; other < most_ways; ++other)
            is_one |= other < k && before(other).key == key;
        return is_one;
    }
    TANDEM_HOST_DEVICE static Option with_residual(int macroblock, const Mode& mode, std::uint64_t key,
                                                   const Trial& trial) {
        return {
            true,        false,
            mode,        key,
            trial.error, {macroblock, 0, mode.forward, mode.backward, trial.pattern, trial.code, trial.bits, trial.dc}};
    }
    TANDEM_HOST_DEVICE static Option without(int macroblock, const Mode& mode, std::uint64_t key, std::uint32_t error) {
        return {true, true, mode, key, error, {macroblock, 0, mode.forward, mode.backward, 0, 0, 0, nullptr}};
    }

    /// A warp for each block, by coarser quantisers as long as levels are cut; the other warps find out meanwhile what
    /// is unknown.
    TANDEM_HOST_DEVICE void code_repetition(int macroblock) {
        constexpr int blocks = SettleScratch::blocks, others = SettleScratch::warps - blocks;
        const int wanted = task_.wanted_code[macroblock] - task_.first_code;
        int step = wanted;
        do {
            warps_.each(SettleScratch::warps, [&](const Lanes& lanes, int warp) {
                if (warp < blocks) {
                    code_repetition(lanes, macroblock, warp, step);
                } else if (step == wanted) {
                    find_out(lanes, warp - blocks, others);
                }
            });
        } while (is_any_cut(step++));
    }
    TANDEM_HOST_DEVICE bool is_any_cut(int step) const {
        bool any = false;
        for (const bool cut : scratch_.is_cut[step & 1])
            any = any || cut;
        return any;
    }
    TANDEM_HOST_DEVICE void code_repetition(const Lanes& lanes, int macroblock, int block, int step) {
        BlocksCoder<1> coder(lanes, task_, macroblock, before(0).mode, block, scratch_.block[block]);
        coder.predict();
        const std::uint32_t alone_error = coder.transform();
        const bool is_cut = coder.quantise(step);
        const std::uint32_t bits = coder.bits();
        coder.rebuild(step);
        const std::uint32_t error = coder.error();
        const int pattern = coder.pattern();
        lanes.once([&] {
            Trial& trial = scratch_.block_repetition[block];
            trial.error = error;
            trial.alone_error = alone_error;
            trial.bits = bits;
            trial.pattern = static_cast<std::uint8_t>(pattern);
            trial.code = static_cast<std::uint8_t>(task_.ladder[step].code);
            scratch_.saving[block] = scratch_.block[block].saving[0];
            scratch_.is_cut[step & 1][block] = is_cut;
        });
    }
    /// The repetition of all blocks, without those that do not pay: BlocksCoder::drop_what_does_not_pay().
    TANDEM_HOST_DEVICE void join_blocks(const Lanes& lanes, int macroblock, int i) {
        int pattern = 0;
        for (const Trial& trial : scratch_.block_repetition)
            pattern = pattern << 1 | trial.pattern;
        if (task_.trellis) pattern = chosen_pattern(lanes, task_, pattern, scratch_.saving, scratch_.lambda_q6[i]);
        std::uint32_t of_all[2]; // Error, bits.
        lanes.add_up(
            SettleScratch::blocks,
            [&](int block, std::uint32_t(&parts)[2]) {
                const Trial& trial = scratch_.block_repetition[block];
                const bool coded = (pattern & (32 >> block)) != 0;
                parts[0] += coded ? trial.error : trial.alone_error;
                parts[1] += coded ? trial.bits : 0;
            },
            of_all);
        lanes.once([&] {
            Option& option = scratch_.option[repeated];
            option = without(macroblock, before(0).mode, before(0).key, of_all[0]);
            option.exists = pattern != 0; // Else it is tried alone.
            option.alone = false;
            option.coded.pattern = pattern;
            option.coded.code = scratch_.block_repetition[0].code;
            option.coded.bits = of_all[1];
        });
    }

    TANDEM_HOST_DEVICE CodedMacroblock coded_after(const Option& option, const Way& before) const {
        CodedMacroblock coded = option.coded;
        const bool inside = coded.address != slice_.first && coded.address != slice_.end - 1;
        coded.flags = settled_flags(task_.type, option.mode, before.mode, coded.pattern, inside);
        return coded;
    }

    TANDEM_HOST_DEVICE std::int64_t cost_of(const Option& option, const Way& before, std::uint32_t lambda_q6) const {
        const std::int64_t threshold = option.mode.flags & mb_intra ? task_.intra_threshold : 0;
        const std::int64_t bits = before.prediction.bits(task_, coded_after(option, before));
        return before.cost + 64 * (option.error + threshold) + lambda_q6 * bits;
    }

    /// The cheapest way to each option, of equal ones from the way that ranks first; the cheapest of these are kept, of
    /// equal ones the options with the least numbers.
    TANDEM_HOST_DEVICE void keep_cheapest(const Lanes& lanes, int macroblock) {
        constexpr int options = SettleScratch::options;
        lanes.each(options, [&](int number) {
            std::int64_t least = INT64_MAX;
            TANDEM_UNROLLED
            for (int k = 0; k < most_ways; ++k)
                least = scratch_.cost[number][k] < least ? scratch_.cost[number][k] : least;
            scratch_.from[number] = static_cast<int>(least & (most_ways - 1));
            scratch_.least[number] = least == INT64_MAX ? INT64_MAX : (least >> way_bits << option_bits) + number;
        });
        lanes.each(options, [&](int number) {
            const std::int64_t cost = scratch_.least[number];
            int rank = 0;
            TANDEM_UNROLLED
            for (int other = 0; other < options; ++other)
                rank += scratch_.least[other] < cost;
            if (cost != INT64_MAX && rank < most_ways) take(macroblock, number, rank);
        });
        const std::uint32_t existing =
            lanes.sum(options, [&](int number) { return std::uint32_t{scratch_.least[number] != INT64_MAX}; });
        lanes.once([&] { scratch_.way_count = existing < most_ways ? static_cast<int>(existing) : most_ways; });
    }
    static constexpr int way_bits = 3, option_bits = 5;
    static_assert(most_ways == 1 << way_bits && SettleScratch::options <= 1 << option_bits);

    /// The way to this option is the one of this rank.
    TANDEM_HOST_DEVICE void take(int macroblock, int number, int rank) {
        const int from = scratch_.from[number];
        const Option& taken = scratch_.option[number];
        Way& way = scratch_.ways[1 - turn_][rank];
        way.prediction = before(from).prediction;
        way.prediction.follow(coded_after(taken, before(from)), dc_);
        way.cost = scratch_.least[number] >> option_bits;
        way.mode = taken.mode;
        way.key = taken.key;
        task_.steps[static_cast<std::ptrdiff_t>(macroblock) * most_ways + rank] = {
            taken.mode, static_cast<std::uint8_t>(taken.alone), static_cast<std::uint8_t>(from)};
    }

    /// Goes back along the cheapest way.
    TANDEM_HOST_DEVICE void take_cheapest_way(const Lanes& lanes) {
        constexpr int stretch = SettleScratch::stretch;
        int rank = 0;
        for (int end = slice_.end; end > slice_.first; end -= stretch) {
            const int first = end - stretch > slice_.first ? end - stretch : slice_.first;
            lanes.each((end - first) * most_ways, [&](int item) {
                scratch_.steps[item / most_ways][item % most_ways] =
                    task_.steps[static_cast<std::ptrdiff_t>(first) * most_ways + item];
            });
            for (int macroblock = end - 1; macroblock >= first; --macroblock) {
                const WayStep step = scratch_.steps[macroblock - first][rank];
                rank = step.before;
                lanes.once([&] {
                    store_mode(task_, macroblock, step.mode);
                    task_.alone[macroblock] = step.alone;
                });
            }
        }
    }

    const Warps& warps_;
    const CodingTask& task_;
    SliceExtent slice_;
    SettleScratch& scratch_;
    int dc_;         ///< What predicts intra DCs behind what is not intra.
    int left_, top_; ///< Of the macroblock at hand.
    int turn_ = 0;   ///< Which of the ways are those to the macroblock before.
};

TANDEM_HOST_DEVICE inline void settle_modes(const Warps& warps, const CodingTask& task, int slice,
                                            SettleScratch& scratch) {
    ModeSettler(warps, task, task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
