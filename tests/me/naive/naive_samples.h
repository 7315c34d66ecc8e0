// SPDX-License-Identifier: BSD-2-Clause
// Samples, lengths of codes and transforms, written a second time from their definitions.
#pragma once

#include <cstdint>
#include <vector>

#include "me/motion.h"
#include "video/frame.h"

namespace tandem::test {

/// The reference at (x + mv), bilinear by eighths, edges replicated.
int sample_at(PlaneView plane, int x, int y, Mv mv);

/// Chroma at (x + mv / 2), bilinear by sixteenths, edges replicated.
int chroma_sample_at(PlaneView plane, int x, int y, Mv mv);

/// Luma by the six taps of H.264, mv a multiple of a quarter-pel.
int six_tap_sample_at(PlaneView plane, int x, int y, Mv mv);

/// Length of the signed Exp-Golomb code of difference / unit.
int code_length(int difference, int unit);

/// Half the sum of the absolute coefficients.
std::uint32_t hadamard4x4(const int (&d)[4][4]);

/// A plane as vectors of rows, so that the pyramid shares nothing with Plane.
using Samples = std::vector<std::vector<int>>;
Samples samples_of(PlaneView plane);
Samples half_size(const Samples& from);
FramePtr frame_of(const Samples& samples);

} // namespace tandem::test
