// SPDX-License-Identifier: BSD-2-Clause
// From a picture's quality to the quantiser_scale_code of each macroblock.
#pragma once

#include <span>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/quality.h"

namespace tandem {

/// Fills `codes`, one a macroblock, 1..31. The header of a slice says a code for nothing, so a quantiser between two
/// codes is spread over the slices, as evenly as whole codes allow. Offsets are added to that and rounded by
/// macroblock.
void spread_quantiser(const Quality& quality, std::span<const SliceExtent> slices, std::span<std::uint8_t> codes);

} // namespace tandem
