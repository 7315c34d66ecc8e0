// SPDX-License-Identifier: BSD-2-Clause
// Which blocks of a predicted macroblock are coded: what a block saves by its levels, against what it adds to the
// length of coded_block_pattern.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// What the blocks of a pattern (bits as in coded_block_pattern) save less lambda * length of its code, the savings of
/// those that are coded as trellis_quantise() says. No block at all saves nothing and has no code. `code_bits`:
/// code_length_tables::coded_block_pattern.
TANDEM_HOST_DEVICE inline std::int64_t gain_of_pattern(int pattern, const std::int64_t* saving, std::uint32_t lambda_q6,
                                                       const std::uint8_t* code_bits) {
    std::int64_t gain = -static_cast<std::int64_t>(lambda_q6) * code_bits[pattern];
    for (int block = 0; block < 6; ++block)
        gain += (pattern & (32 >> block)) != 0 ? saving[block] : 0;
    return gain;
}

/// Those blocks of a pattern that may be worth less than their code. No code is longer than nine bits, so that no
/// subset is worse with a block that saves as much.
TANDEM_HOST_DEVICE inline int doubtful_blocks(int pattern, const std::int64_t* saving, std::uint32_t lambda_q6) {
    int doubtful = 0;
    for (int block = 0; block < 6; ++block) {
        const int bit = 32 >> block;
        if ((pattern & bit) != 0 && saving[block] < std::int64_t{lambda_q6} * 9) doubtful |= bit;
    }
    return doubtful;
}

/// Of the coded blocks in `pattern` those that are worth coding: the subset of the greatest gain, of equal ones the
/// greatest number.
inline int choose_pattern(int pattern, const std::int64_t* saving, std::uint32_t lambda_q6,
                          const std::uint8_t* code_bits) {
    const int doubtful = doubtful_blocks(pattern, saving, lambda_q6);
    int best = pattern;
    std::int64_t most = INT64_MIN;
    for (int kept = doubtful;; kept = (kept - 1) & doubtful) {
        const int subset = (pattern & ~doubtful) | kept;
        const std::int64_t gain = gain_of_pattern(subset, saving, lambda_q6, code_bits);
        if (gain > most) {
            most = gain;
            best = subset;
        }
        if (kept == 0) return best;
    }
}

} // namespace tandem
