// SPDX-License-Identifier: BSD-2-Clause
// How finely a picture is to be coded.
#pragma once

#include <vector>

namespace tandem {

/// Made by the rate control, read by a codec's coder.
struct Quality {
    /// In the codec's own unit; MPEG: quantiser_scale_code, 1..31. A fraction is kept on the mean over the picture.
    double quantiser = 8;
    /// Added to the quantiser of each macroblock, in raster order; empty: nothing.
    std::vector<float> offsets;

    bool operator==(const Quality&) const = default;
};

} // namespace tandem
