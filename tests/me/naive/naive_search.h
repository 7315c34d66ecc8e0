// SPDX-License-Identifier: BSD-2-Clause
// Searches written a second time, as plainly as their definitions, for the tests to compare with.
// They share nothing with the library but its types: no cost rule, no kernels, no candidate list, no interpolation.
#pragma once

#include "me/estimator.h"
#include "naive_samples.h"

namespace tandem::test {

/// The field of the request by loops over samples.
MotionField naive_estimate(const MotionRequest& request);

} // namespace tandem::test
