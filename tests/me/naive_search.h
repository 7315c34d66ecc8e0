// SPDX-License-Identifier: BSD-2-Clause
// Searches written a second time, as plainly as their definitions, for the tests to compare with.
// They share nothing with the library but its types: no cost rule, no kernels, no candidate list, no interpolation.
#pragma once

#include <vector>

#include "me/estimator.h"

namespace tandem::test {

/// The reference at (x + mv), bilinear by eighths, edges replicated.
int sample_at(PlaneView plane, int x, int y, Mv mv);

/// The same by the six taps of H.264, mv a multiple of a quarter-pel.
int six_tap_sample_at(PlaneView plane, int x, int y, Mv mv);

/// The field of the request by loops over samples.
MotionField naive_estimate(const MotionRequest& request);

} // namespace tandem::test
