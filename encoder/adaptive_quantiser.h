// SPDX-License-Identifier: BSD-2-Clause
// Coarser where a picture's own texture hides errors, finer where it is smooth.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/workers.h"
#include "video/plane.h"

namespace tandem {

/// What the quantiser of a macroblock follows.
enum class AqMode : std::uint8_t {
    off,
    usual,   ///< Its activity beside that of usual video: pictures of much texture are coarser as a whole.
    picture, ///< Its activity beside the picture's mean, so that the picture's quantiser stays what it is.
};

/// Of one picture, by macroblock in raster order.
struct AdaptiveFactors {
    std::vector<float> factor;   ///< What a macroblock's quantiser is to be multiplied by, 1/4..4.
    std::vector<float> residual; ///< How much there is to code, as Importance::residual; empty: nobody asked.
};
using AdaptiveFactorsPtr = std::shared_ptr<const AdaptiveFactors>;

/// SSIM weighs a squared error by 1 / (2 s^2 + C2), where s^2 is the variance about it and C2 = (0.03 * 255)^2 (Wang,
/// Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE
/// Transactions on Image Processing, 2004). At a given slope of bits the error goes with the square of the quantiser,
/// and so the least weighted error has quantisers in proportion to the root of s^2 + C2 / 2. Errors spread further than
/// the texture that hides them, so less than the root is best. A macroblock's
///     activity = the mean of log2(s^2 + C2 / 2) over its four blocks of 8x8 samples of luma,
///     factor = 2^(0.2 * strength * (activity - middle)).
/// `luma` has sides that are multiples of 16; strength is 0..3.
AdaptiveFactors adaptive_factors(PlaneView luma, AqMode mode, double strength, Workers& workers);

} // namespace tandem
