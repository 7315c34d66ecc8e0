// SPDX-License-Identifier: BSD-2-Clause
// Samples between samples, for pictures that are to stay as sharp as they are. Coded prediction has its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coding/filter/kernels/filter_kernels.h"
#include "video/plane.h"

namespace tandem {

/// Weights of samples, in 64ths, by sixteenths of a sample: see FilterKernels::interpolate().
using FineTaps = std::array<std::array<std::int16_t, fine_taps>, 16>;
const FineTaps& fine_tap_weights();

/// Samples by rows.
template <int side> using SquareOf = std::array<std::uint8_t, static_cast<std::size_t>(side) * side>;

/// The square of a plane whose first sample is (x, y), displaced to the right and down by sixteenths of a sample; by
/// six taps along each direction, a sine cardinal under a window of three lobes (Lanczos), rounded after each. Outside
/// of the plane its edge goes on. Sides: 8 and 16.
template <int side> void predict_finely(PlaneView plane, int x, int y, int right, int down, SquareOf<side>& to);

} // namespace tandem
