// SPDX-License-Identifier: BSD-2-Clause
// What all backends do with a request: they check it, and search twice where neighbours predict.
#pragma once

#include <functional>

#include "me/estimator.h"

namespace tandem {

/// Block rows first..end-1.
struct BlockRows {
    int first = 0, end = 0;
};

/// The empty field of a request, and the rows that it wants. Throw InputError for what breaks Estimator's contract,
/// whatever the backend.
MotionField empty_field(const MotionRequest& request);
BlockRows wanted_rows(const MotionRequest& request, const MotionField& field);

/// The candidates that a refinement begins with: the best of `start`, as many as `field` has room for.
void copy_start(const MotionField& start, BlockRows rows, MotionField& field);

/// Predictor::neighbours: a first pass finds the vectors whose medians are the predictors of the second one. Each is a
/// request for rows by number, with Predictor::hint, that `search` answers.
MotionField search_in_two_passes(const MotionRequest& request,
                                 const std::function<MotionField(const MotionRequest&)>& search);

} // namespace tandem
