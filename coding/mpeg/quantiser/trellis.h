// SPDX-License-Identifier: BSD-2-Clause
// Rate-distortion optimal levels of one block: which coefficients are worth their bits.
#pragma once

#include <cstdint>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/kernels/transform.h"

namespace tandem {

/// What make_quantiser() wants as rounding for trellis_quantise(): the quantiser's level must be the nearest one or one
/// above it. Intra levels are rebuilt at whole steps, others half a step further out.
inline constexpr int trellis_rounding_intra = 32;
inline constexpr int trellis_rounding_inter = 16;

/// The levels that were chosen for a block.
struct TrellisChoice {
    std::uint64_t nonzero; ///< Mask of scan positions with a level, without intra DC's.
    /// Of a non-intra block: how much less squared error + lambda * bits is than without any level, in squared eighths;
    /// 0 without any.
    std::int64_t saving;
};

/// Chooses the levels of a block so that squared error + lambda * bits is least, among 0, the level q nearest to each
/// coefficient, and q - 1. The error is against what dequantise() rebuilds (but for mismatch control), the bits are
/// exact, with end_of_block; a non-intra block may come out without any coefficient, which costs nothing here: what
/// coded_block_pattern costs is choose_pattern()'s (pattern_choice.h).
/// `table` is b14 or b15 (the first coefficient of a non-intra block is known by quantiser.intra), lambda in squared
/// error (standard units, so of samples too) per bit times 64. `levels`: 64 in scan order, 0 where not coded; intra:
/// [0] is the quantised DC, which is not weighed.
TrellisChoice trellis_quantise(const Block& coefficients, const Quantiser& quantiser, CoefficientTable table,
                               bool alternate_scan, std::uint32_t lambda_q6, std::int16_t* levels);

} // namespace tandem
