// SPDX-License-Identifier: BSD-2-Clause
// Luma interpolation of H.264 (ISO/IEC 14496-10 clause 8.4.2.2.1).
#pragma once

#include <vector>

#include "video/plane.h"

namespace tandem {

/// Fills planes[1..] from planes[0], border included; `precision` is 2 or 4, plane (fx, fy) is number fy * precision +
/// fx. Half-pels by the taps 1 -5 20 20 -5 1, the middle one from unrounded sums, quarter-pels by the rounded mean of
/// the two nearest of them. Samples outside are those of the nearest edge. The workers, where there are any, share it.
void interpolate_six_tap(std::vector<Plane>& planes, int precision, Workers* workers);

} // namespace tandem
