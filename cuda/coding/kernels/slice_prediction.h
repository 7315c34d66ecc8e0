// SPDX-License-Identifier: BSD-2-Clause
// How many bits a macroblock takes where it stands in its slice: MacroblockWriter of
// bitstream/mpeg/macroblock_writer.h, whose codes are only counted.
#pragma once

#include "cuda/coding/kernels/block_arithmetic.h"
#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/decide_modes.h"

namespace tandem::cuda {

/// A macroblock in a mode, coded, with what counts of it beside the macroblocks before it.
struct CodedMacroblock {
    int address;
    int flags;              ///< As they are written, with mb_skipped.
    Mv forward, backward;   ///< Where the flags have them.
    int pattern, code;      ///< coded_block_pattern, quantiser_scale_code.
    std::uint32_t bits;     ///< Of its blocks, but for the DCs of intra blocks.
    const std::int16_t* dc; ///< Intra: of the six blocks.
};

/// What runs through a slice from macroblock to macroblock.
class SlicePrediction {
  public:
    /// `dc`: what predicts the first, at the middle of the range that intra_dc_precision gives.
    TANDEM_HOST_DEVICE void start(const CodingTask& task, SliceExtent slice, int dc) {
        forward_ = backward_ = {};
        quantiser_ = task.wanted_code[slice.first];
        coded_before_ = slice.first / task.columns * task.columns - 1;
        reset_dc(dc);
    }

    TANDEM_HOST_DEVICE std::uint32_t bits(const CodingTask& task, const CodedMacroblock& coded) const {
        if (coded.flags & mb_skipped) return 0;
        const CodingTables& tables = *task.tables;
        const bool intra = (coded.flags & mb_intra) != 0;
        int sum = increment_bits(tables, coded.address - coded_before_);
        const bool says_quantiser = coded.pattern != 0 && coded.code != quantiser_;
        sum += tables.coded_type_bits[((static_cast<int>(task.type) - 1) * 8 + coded.flags) * 4 +
                                      (coded.pattern != 0 && !intra ? 2 : 0) + (says_quantiser ? 1 : 0)];
        sum += says_quantiser ? 5 : 0;
        if (intra) return static_cast<std::uint32_t>(sum) + dc_bits(tables, coded.dc) + coded.bits;
        sum += vectors_bits(task, coded);
        if (coded.pattern != 0) sum += tables.pattern_bits[coded.pattern];
        return static_cast<std::uint32_t>(sum) + coded.bits;
    }

    /// Goes on behind the macroblock; `dc` as in start().
    TANDEM_HOST_DEVICE void follow(const CodedMacroblock& coded, int dc) {
        const bool intra = (coded.flags & mb_intra) != 0, skipped = (coded.flags & mb_skipped) != 0;
        if (!intra) reset_dc(dc);
        if (intra || (coded.flags & (mb_forward | mb_backward)) == 0) forward_ = backward_ = {};
        if (skipped) return;
        coded_before_ = coded.address;
        if (coded.pattern != 0) quantiser_ = coded.code;
        if (coded.flags & mb_forward) forward_ = coded.forward;
        if (coded.flags & mb_backward) backward_ = coded.backward;
        for (int component = 0; intra && component < 3; ++component)
            dc_[component] = coded.dc[component + 3];
    }

  private:
    TANDEM_HOST_DEVICE void reset_dc(int dc) {
        for (int& of_component : dc_)
            of_component = dc;
    }

    TANDEM_HOST_DEVICE static int increment_bits(const CodingTables& tables, int increment) {
        constexpr int step = 33, escape_bits = 11;
        const int escapes = (increment - 1) / step;
        return escapes * escape_bits + tables.increment_bits[increment - escapes * step];
    }

    TANDEM_HOST_DEVICE int vectors_bits(const CodingTask& task, const CodedMacroblock& coded) const {
        const CodingTables& tables = *task.tables;
        int sum = 0;
        if (coded.flags & mb_forward)
            sum += vector_bits_of(tables, coded.forward, forward_, f_codes_of(task.direction[0]));
        if (coded.flags & mb_backward)
            sum += vector_bits_of(tables, coded.backward, backward_, f_codes_of(task.direction[1]));
        return sum;
    }

    TANDEM_HOST_DEVICE std::uint32_t dc_bits(const CodingTables& tables, const std::int16_t* dc) const {
        int sum = 0;
        for (int block = 0; block < 6; ++block) {
            const bool luma = block < 4;
            const int before = luma && block > 0 ? dc[block - 1] : dc_[luma ? 0 : block - 3];
            const int size = significant_bits(static_cast<std::uint32_t>(magnitude_of(dc[block] - before)));
            sum += tables.dc_size_bits[luma ? 0 : 1][size] + size;
        }
        return static_cast<std::uint32_t>(sum);
    }

    Mv forward_, backward_;
    int dc_[3]; ///< Y, Cb, Cr.
    int quantiser_;
    int coded_before_; ///< Address of the last macroblock that was not skipped.
};

} // namespace tandem::cuda
