// SPDX-License-Identifier: BSD-2-Clause
// The quantisers of a picture by quantiser_scale_code, and what a bit is worth beside them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coding/mpeg/mpeg_tools.h"
#include "coding/mpeg/residual.h"

namespace tandem {

/// What a bit is worth in SAD at a quantiser_scale (MPEG-2's units, see quantiser_scale()): SAD per bit times 256.
std::uint32_t sad_lambda_q8(int scale);

/// The same in squared error, times 64.
std::uint32_t squared_error_lambda_q6(int scale);

/// The quantisers of neighbouring codes, the finest first: from the least of `codes` to the greatest, and beyond it as
/// far as macroblocks may have to go because a level of theirs has no code.
std::vector<Quantisers> quantiser_ladder(const MpegTools& tools, std::span<const std::uint8_t> codes);

} // namespace tandem
