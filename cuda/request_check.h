// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "me/estimator.h"

namespace tandem::cuda {

/// Block rows that a request asks for.
struct RowBand {
    int first, end;
};

/// The empty field of a request, and its rows. Throws InputError for what Estimator::estimate() says.
MotionField empty_field(const MotionRequest& request);
RowBand wanted_rows(const MotionRequest& request, const MotionField& field);

} // namespace tandem::cuda
