// SPDX-License-Identifier: BSD-2-Clause
// The modes of a slice's macroblocks that are cheapest together: code_by_rate_distortion() of
// coding/mpeg/rate_distortion.h. What listed modes come to is known (try_modes.h); what is found out here is what the
// modes of the ways to the macroblock before predict, and what comes of the cheapest of them with a residual, where
// that is not listed: a block by each warp.
#pragma once

#include "cuda/coding/kernels/code_blocks.h"
#include "cuda/coding/kernels/slice_prediction.h"

namespace tandem::cuda {

/// A mode as a number: its flags, and the vectors in half pels. Quicker to compare.
TANDEM_HOST_DEVICE inline std::uint64_t key_of(const Mode& mode) {
    const auto bits = [](std::int16_t eighths) { return static_cast<std::uint64_t>(eighths >> 2 & 0x3FFF); };
    return bits(mode.forward.x) << 45 | bits(mode.forward.y) << 31 | bits(mode.backward.x) << 17 |
           bits(mode.backward.y) << 3 | mode.flags;
}
inline constexpr std::uint64_t no_mode = ~std::uint64_t{0};

struct SettleScratch {
    static constexpr int stretch = 12; ///< Macroblocks.
    static constexpr int warps = 6;    ///< A block each.
    static constexpr int options = TriedModes::most;
    /// The cheapest way to code the slice up to a macroblock that codes this in one of its options.
    struct Way {
        std::int64_t cost;
        std::uint64_t key;          ///< Of the mode.
        SlicePrediction prediction; ///< Behind the macroblock.
        Mode mode;                  ///< The macroblock's; no flags at the start of the slice.
    };
    /// A mode in which the macroblock can be coded, with a residual or without.
    struct Option {
        bool exists;
        bool alone;
        Mode mode;
        std::uint32_t error;
        CodedMacroblock coded; ///< Its flags follow from what stands before it.
    };

    ListedModes listed[stretch];
    Trial trials[stretch][ListedModes::most];
    std::uint32_t still_error[stretch];
    std::uint64_t listed_key[stretch][ListedModes::most]; ///< Of modes that are listed; the rest is no_mode.
    WayStep steps[stretch][most_ways];
    Way ways[2][most_ways]; ///< By turns: to the macroblock before, the cheapest first, and to the one at hand.
    int way_count;

    // Of the macroblock at hand.
    Option option[options];
    bool is_unknown[most_ways]; ///< By way: whether what its mode predicts is still to be found out.
    bool is_any_unknown;
    bool is_repeated; ///< Whether the mode of the cheapest way is tried with a residual.
    Trial block_repetition[warps];
    std::int64_t saving[warps]; ///< Of the trellis, by block.
    bool is_cut[2][warps];      ///< By block, and by turns of the quantiser.
    std::int64_t cost[options][most_ways];
    std::int64_t least[options]; ///< Of these,
    int from[options];           ///< and of which way.
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
                extend_ways(first + i, i);
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
                scratch_.ways[0][0].prediction.start(task_, slice_);
                scratch_.ways[0][0].mode = {0, {}, {}};
                scratch_.ways[0][0].key = key_of(scratch_.ways[0][0].mode);
            });
        });
    }

    TANDEM_HOST_DEVICE void extend_ways(int macroblock, int i) {
        constexpr int warps = SettleScratch::warps;
        warps_.each(1, [&](const Lanes& lanes, int) { make_options(lanes, macroblock, i); });
        if (scratch_.is_any_unknown) {
            warps_.each(warps, [&](const Lanes& lanes, int warp) {
                for (int k = warp; k < most_ways; k += warps) {
                    if (!scratch_.is_unknown[k]) continue;
                    const std::uint32_t error = prediction_error(lanes, task_, before(k).mode, macroblock);
                    lanes.once([&] { scratch_.option[first_way + k].error = error; });
                }
            });
        }
        if (scratch_.is_repeated) {
            code_repetition(macroblock);
            warps_.each(1, [&](const Lanes& lanes, int) { join_blocks(lanes, macroblock); });
        }
        warps_.each(warps, [&](const Lanes& lanes, int warp) {
            constexpr int share = (SettleScratch::options * most_ways + warps - 1) / warps;
            lanes.each(share, [&](int item) {
                const int number = (warp * share + item) / most_ways, k = (warp * share + item) % most_ways;
                if (number < SettleScratch::options && k < scratch_.way_count)
                    scratch_.cost[number][k] = cost_of(scratch_.option[number], before(k));
            });
        });
        warps_.each(1, [&](const Lanes& lanes, int) { keep_cheapest(lanes, macroblock); });
        turn_ = 1 - turn_;
    }

    TANDEM_HOST_DEVICE const Way& before(int k) const { return scratch_.ways[turn_][k]; }

    /// All but what the modes of ways predict, where that is not known, and the one of the cheapest way with a
    /// residual.
    TANDEM_HOST_DEVICE void make_options(const Lanes& lanes, int macroblock, int i) {
        const ListedModes& listed = scratch_.listed[i];
        const bool is_predicted = task_.type == PictureType::predicted, is_tried = listed.count > 1;
        const std::uint64_t nothing = key_of(still_mode()), front = scratch_.listed_key[i][0];
        // In a P picture, a macroblock without a vector to choose keeps zero.
        bool keeps_zero = is_predicted;
        for (const std::uint64_t key : scratch_.listed_key[i])
            keeps_zero = keeps_zero && (key == no_mode || key >> 31 == nothing >> 31); // Forward vectors alone.
        lanes.each(SettleScratch::options, [&](int number) {
            Option& option = scratch_.option[number];
            option.exists = number < listed.count;
            if (option.exists) option = with_residual(macroblock, listed.mode[number], scratch_.trials[i][number]);
            if (number < listed.count || number == repeated) return;
            const int k = number - first_way;
            const Mode mode = number < still    ? listed.mode[0]
                              : number == still ? still_mode()
                                                : before(k < 0 ? 0 : k).mode;
            const std::uint64_t key = number < still ? front : number == still ? nothing : before(k < 0 ? 0 : k).key;
            const int own = place_of(key, scratch_.listed_key[i]);
            const bool has_levels = own < 0 || scratch_.trials[i][own].pattern != 0;
            option =
                without(macroblock, mode, own >= 0 ? scratch_.trials[i][own].alone_error : scratch_.still_error[i]);
            if (number < first_way) {
                const bool is_one = number == front_alone ? (mode.flags & mb_intra) == 0
                                                          : number == still && is_predicted && key != front;
                option.exists = is_tried && is_one && has_levels;
                return;
            }
            const bool may_repeat = is_tried && !keeps_zero && k < scratch_.way_count && task_.fits(mode, macroblock);
            const bool is_tried_before = key == front || !has_levels || (is_predicted && key == nothing);
            option.exists = may_repeat && !is_tried_before && !is_of_way_before(key, k);
            scratch_.is_unknown[k] = option.exists && own < 0;
            if (k == 0) scratch_.is_repeated = may_repeat && own < 0;
        });
        const bool is_any_unknown = lanes.any(most_ways, [&](int k) { return scratch_.is_unknown[k]; });
        lanes.once([&] { scratch_.is_any_unknown = is_any_unknown; });
    }
    TANDEM_HOST_DEVICE static Mode still_mode() { return {mb_forward, {}, {}}; }
    /// Which of the modes it is; -1: none.
    TANDEM_HOST_DEVICE static int place_of(std::uint64_t key, const std::uint64_t (&keys)[ListedModes::most]) {
        int place = -1;
        for (int k = 0; k < ListedModes::most; ++k)
            place = keys[k] == key ? k : place;
        return place;
    }
    TANDEM_HOST_DEVICE bool is_of_way_before(std::uint64_t key, int k) const {
        bool is_one = false;
        for (int other = 0; other < k; ++other)
            is_one |= before(other).key == key;
        return is_one;
    }
    TANDEM_HOST_DEVICE static Option with_residual(int macroblock, const Mode& mode, const Trial& trial) {
        return {true,
                false,
                mode,
                trial.error,
                {macroblock, 0, mode.forward, mode.backward, trial.pattern, trial.code, trial.bits, trial.dc}};
    }
    TANDEM_HOST_DEVICE static Option without(int macroblock, const Mode& mode, std::uint32_t error) {
        return {true, true, mode, error, {macroblock, 0, mode.forward, mode.backward, 0, 0, 0, nullptr}};
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
            BlocksCoder<1> coder(lanes, task_, macroblock, before(0).mode, block, scratch_.blocks[block]);
            coder.predict();
            const std::uint32_t alone_error = coder.transform();
            const bool cut = coder.quantise(step);
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
                scratch_.saving[block] = scratch_.blocks[block].saving[0];
                is_cut[block] = cut;
            });
        });
        bool any = false;
        for (const bool cut : is_cut)
            any = any || cut;
        return any;
    }
    /// The repetition of all blocks, without those that do not pay: BlocksCoder::drop_what_does_not_pay().
    TANDEM_HOST_DEVICE void join_blocks(const Lanes& lanes, int macroblock) {
        int pattern = 0;
        for (const Trial& trial : scratch_.block_repetition)
            pattern = pattern << 1 | trial.pattern;
        if (task_.trellis) pattern = chosen_pattern(lanes, task_, pattern, scratch_.saving, lambda_q6(macroblock));
        std::uint32_t of_all[2]; // Error, bits.
        lanes.add_up(
            SettleScratch::warps,
            [&](int block, std::uint32_t(&parts)[2]) {
                const Trial& trial = scratch_.block_repetition[block];
                const bool coded = (pattern & (32 >> block)) != 0;
                parts[0] += coded ? trial.error : trial.alone_error;
                parts[1] += coded ? trial.bits : 0;
            },
            of_all);
        lanes.once([&] {
            Option& option = scratch_.option[repeated];
            option = without(macroblock, before(0).mode, of_all[0]);
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

    TANDEM_HOST_DEVICE std::int64_t cost_of(const Option& option, const Way& before) const {
        if (!option.exists) return INT64_MAX;
        const std::int64_t threshold = option.mode.flags & mb_intra ? task_.intra_threshold : 0;
        const std::int64_t bits = before.prediction.bits(task_, coded_after(option, before));
        return before.cost + 64 * (option.error + threshold) + lambda_q6(option.coded.address) * bits;
    }
    TANDEM_HOST_DEVICE std::uint32_t lambda_q6(int macroblock) const {
        return task_.ladder[task_.wanted_code[macroblock] - task_.first_code].lambda_q6;
    }

    /// The cheapest way to each option, of equal ones from the way that ranks first; the cheapest of these are kept, of
    /// equal ones the options with the least numbers.
    TANDEM_HOST_DEVICE void keep_cheapest(const Lanes& lanes, int macroblock) {
        constexpr int options = SettleScratch::options;
        const int count = scratch_.way_count;
        lanes.each(options, [&](int number) {
            std::int64_t least = scratch_.cost[number][0];
            int from = 0;
            for (int k = 1; k < count; ++k) {
                const std::int64_t cost = scratch_.cost[number][k];
                from = cost < least ? k : from;
                least = cost < least ? cost : least;
            }
            scratch_.least[number] = least;
            scratch_.from[number] = from;
        });
        lanes.each(options, [&](int number) {
            const std::int64_t cost = scratch_.least[number];
            int rank = 0;
            for (int other = 0; other < options; ++other)
                rank += scratch_.least[other] < cost || (scratch_.least[other] == cost && other < number);
            if (cost != INT64_MAX && rank < most_ways) take(macroblock, number, rank);
        });
        const std::uint32_t existing =
            lanes.sum(options, [&](int number) { return std::uint32_t{scratch_.least[number] != INT64_MAX}; });
        lanes.once([&] { scratch_.way_count = existing < most_ways ? static_cast<int>(existing) : most_ways; });
    }
    /// The way to this option is the one of this rank.
    TANDEM_HOST_DEVICE void take(int macroblock, int number, int rank) {
        const int from = scratch_.from[number];
        const Option& taken = scratch_.option[number];
        Way& way = scratch_.ways[1 - turn_][rank];
        way.prediction = before(from).prediction;
        way.prediction.follow(task_, coded_after(taken, before(from)));
        way.cost = scratch_.least[number];
        way.mode = taken.mode;
        way.key = key_of(taken.mode);
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
    int turn_ = 0; ///< Which of the ways are those to the macroblock before.
};

TANDEM_HOST_DEVICE inline void settle_modes(const Warps& warps, const CodingTask& task, int slice,
                                            SettleScratch& scratch) {
    ModeSettler(warps, task, task.slice[slice], scratch).run();
}

} // namespace tandem::cuda
