// SPDX-License-Identifier: BSD-2-Clause
// The chroma planes of a pair of pictures, for distortions over all planes (Planes::all).
#pragma once

#include <array>

#include "me/block.h"
#include "me/kernels/distortion.h"
#include "me/samples/interpolation.h"

namespace tandem {

/// Cb and Cr of both pictures. Views: valid while their owners live.
/// A luma vector in eighths of a luma sample is one in sixteenths of a chroma sample, and chroma is interpolated there
/// exactly: bilinear, (sum of weights * samples + 128) >> 8, as compensation.h predicts it. Chroma sample (x, y)
/// belongs to the block of luma sample (2x, 2y) and moves with it. Where the block stays in the picture
/// (Boundary::inside) its chroma does too, but for the half sample after the last one of a picture of even size, where
/// the edge replicates.
struct ChromaPair {
    std::array<PlaneView, 2> current;
    /// Positions per chroma sample: twice the search's precision. Where the boundary is padded their border is at least
    /// half the luma's and one more.
    const std::array<SubpelPlanes, 2>* reference = nullptr;

    /// The sum of both planes' distortions of the block displaced by mv.
    std::uint32_t distortion(BlockDistortion metric, const BlockRect& luma, Mv mv) const;
};

} // namespace tandem
