// SPDX-License-Identifier: BSD-2-Clause
// From a picture's quality to the quantiser_scale_code of each macroblock.
#pragma once

#include <span>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/quality.h"

namespace tandem {

/// Fills `codes`, one a macroblock, 1..31, whose scales are non-linear or not (q_scale_type). The header of a slice
/// says a code for nothing, so a quantiser between two codes is spread over the slices, as evenly as whole codes allow.
/// Offsets are added to that and rounded by macroblock.
///
/// Where the quality says how much there is to code, codes change within a slice only where that pays: what a code away
/// from the wanted quantiser loses grows as the square of the logarithm of their ratio and with the bits that it is
/// about (the sum of differences over the quantiser), and each change costs what macroblock_quant does in the syntax.
/// The codes of a slice are those of the least sum of both, by dynamic programming (Bellman 1957).
void spread_quantiser(const Quality& quality, std::span<const SliceExtent> slices, bool non_linear,
                      std::span<std::uint8_t> codes);

} // namespace tandem
