// SPDX-License-Identifier: BSD-2-Clause
// How finely a picture is to be coded.
#pragma once

#include <vector>

namespace tandem {

/// Made by the rate control, read by a codec's coder.
struct Quality {
    /// In the codec's own unit; MPEG: half of quantiser_scale (coding/mpeg/quantiser/quantiser_scale.h), which is
    /// quantiser_scale_code, 1..31, unless codes are non-linear. A fraction is kept on the mean over the picture.
    double quantiser = 8;
    /// Added to the quantiser of each macroblock, in raster order; empty: nothing.
    std::vector<float> offsets;
    /// By macroblock, how much there is to code, in any unit: where there is little, its quantiser may give way to its
    /// neighbours'. Empty: offsets are taken as they are.
    std::vector<float> residual = {};
    /// What rate control counts in: the quantiser that the picture would have if all its macroblocks were alike. 0: it
    /// is `quantiser`.
    double even = 0;

    double even_quantiser() const { return even > 0 ? even : quantiser; }

    bool operator==(const Quality&) const = default;
};

} // namespace tandem
