// SPDX-License-Identifier: BSD-2-Clause
// What the warps share that settle the modes of a slice (settle_modes.h).
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
    static constexpr int blocks = 6;   ///< A warp each,
    static constexpr int warps = 12;   ///< beside those that find out what ways predict.
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
        std::uint64_t key; ///< Of the mode.
        std::uint32_t error;
        CodedMacroblock coded; ///< Its flags follow from what stands before it.
    };

    ListedModes listed[stretch];
    Trial trials[stretch][ListedModes::most];
    std::uint32_t still_error[stretch];
    std::uint32_t lambda_q6[stretch];
    std::uint64_t listed_key[stretch][ListedModes::most]; ///< Of modes that are listed; the rest is no_mode.
    WayStep steps[stretch][most_ways];
    Way ways[2][most_ways]; ///< By turns: to the macroblock before, the cheapest first, and to the one at hand.
    int way_count;

    // Of the macroblock at hand.
    Option option[options];
    std::uint64_t unknown; ///< Bit k: what the mode of way k predicts is still to be found out.
    bool is_repeated;      ///< Whether the mode of the cheapest way is tried with a residual.
    Trial block_repetition[blocks];
    std::int64_t saving[blocks];           ///< Of the trellis, by block.
    bool is_cut[2][blocks];                ///< By block, and by turns of the quantiser.
    std::int64_t cost[options][most_ways]; ///< With the number of the way in the lowest three bits.
    std::int64_t least[options];           ///< Of these costs, with the number of the option in the lowest five,
    int from[options];                     ///< and of which way.
    BlocksScratch<1> block[blocks];
};

} // namespace tandem::cuda
