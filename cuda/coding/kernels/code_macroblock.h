// SPDX-License-Identifier: BSD-2-Clause
// A macroblock whose mode is decided: its levels, its final flags and its samples.
#pragma once

#include "cuda/coding/kernels/code_blocks.h"

namespace tandem::cuda {

using CodeScratch = BlocksScratch<6>;

class MacroblockCoder {
  public:
    TANDEM_HOST_DEVICE MacroblockCoder(const Lanes& lanes, const CodingTask& task, int macroblock, CodeScratch& scratch)
        : lanes_(lanes), task_(task), macroblock_(macroblock), scratch_(scratch), flags_(task.decided[macroblock]),
          intra_((task.decided[macroblock] & mb_intra) != 0), forward_(task.forward[macroblock]),
          backward_(task.backward[macroblock]) {}

    TANDEM_HOST_DEVICE void run() {
        BlocksCoder<6> blocks(lanes_, task_, macroblock_, {static_cast<std::uint8_t>(flags_), forward_, backward_}, 0,
                              scratch_);
        int step = blocks.wanted_step();
        blocks.predict();
        if (task_.alone != nullptr && task_.alone[macroblock_] != 0) {
            blocks.leave_out();
        } else {
            blocks.transform();
            while (blocks.quantise(step))
                ++step;
            blocks.drop_what_does_not_pay();
        }
        blocks.rebuild(step);
        blocks.store();
        const int pattern = blocks.pattern();
        lanes_.once([&] {
            task_.pattern[macroblock_] = static_cast<std::uint8_t>(pattern);
            task_.code[macroblock_] = static_cast<std::uint8_t>(task_.ladder[step].code);
        });
        settle_flags(pattern);
        pack();
    }

  private:
    TANDEM_HOST_DEVICE void settle_flags(int pattern) {
        const SliceExtent slice = task_.slice[task_.slice_of[macroblock_]];
        const bool inside = macroblock_ != slice.first && macroblock_ != slice.end - 1;
        const Mode before = inside ? decided_mode(macroblock_ - 1) : Mode{0, {}, {}};
        const int flags = settled_flags(task_.type, decided_mode(macroblock_), before, pattern, inside);
        lanes_.once([&] {
            task_.flags[macroblock_] = static_cast<std::uint8_t>(flags);
            if (task_.coded_since_intra == nullptr) return;
            const int so_far = task_.coded_before != nullptr ? task_.coded_before[macroblock_] : 0;
            const int now = flags & mb_intra ? 0 : flags & mb_skipped ? so_far : so_far + 1;
            task_.coded_since_intra[macroblock_] = static_cast<std::uint8_t>(now);
        });
    }
    TANDEM_HOST_DEVICE Mode decided_mode(int macroblock) const {
        return {task_.decided[macroblock], task_.forward[macroblock], task_.backward[macroblock]};
    }

    /// The levels of the blocks, one after the other.
    TANDEM_HOST_DEVICE void pack() {
        std::uint32_t count = 0, first[6];
        for (int b = 0; b < 6; ++b) {
            first[b] = count;
            count += static_cast<std::uint32_t>(bits_set(kept(b)));
        }
        const std::uint32_t at = count > 0 ? lanes_.reserve(task_.packed_count, count) : 0;
        lanes_.each(6, [&](int b) {
            task_.nonzero[static_cast<std::ptrdiff_t>(macroblock_) * 6 + b] = scratch_.nonzero[b];
            if (b == 0) task_.packed_at[macroblock_] = at;
        });
        for (int b = 0; b < 6; ++b) {
            const std::uint64_t mask = kept(b);
            if (mask == 0) continue;
            std::int16_t* to = task_.packed + at + first[b];
            lanes_.each(64, [&](int position) {
                if (mask >> position & 1)
                    to[bits_set(mask & ((std::uint64_t{1} << position) - 1))] = scratch_.level[b][position];
            });
        }
    }
    /// The scan positions of a block whose levels are handed on: those that are not zero, and intra DC.
    TANDEM_HOST_DEVICE std::uint64_t kept(int b) const {
        return scratch_.nonzero[b] | static_cast<std::uint64_t>(intra_);
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    int macroblock_;
    CodeScratch& scratch_;
    int flags_;
    bool intra_;
    Mv forward_, backward_;
};

TANDEM_HOST_DEVICE inline void code_macroblock(const Lanes& lanes, const CodingTask& task, int macroblock,
                                               CodeScratch& scratch) {
    MacroblockCoder(lanes, task, macroblock, scratch).run();
}

} // namespace tandem::cuda
