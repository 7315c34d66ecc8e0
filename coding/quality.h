// SPDX-License-Identifier: BSD-2-Clause
// How good a picture is to be.
#pragma once

#include <vector>

namespace tandem {

/// What rate control tells the coder of a picture.
struct Quality {
    /// In the codec's own unit; finer steps than the codec has are means over the picture. MPEG: quantiser_scale_code,
    /// 1..31.
    double quantiser = 8;
    /// Added to it by macroblock, in raster order; empty: none.
    std::vector<float> offsets;
};

} // namespace tandem
