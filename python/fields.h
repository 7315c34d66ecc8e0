// SPDX-License-Identifier: BSD-2-Clause
// Motion fields from Python's arrays.
#pragma once

#include <utility>

#include "me/motion_field.h"
#include "python/module.h"

namespace tandem::python {

/// rows x columns x K x 2 vectors in eighths, and as many distortions and costs, UINT32_MAX where there is no
/// candidate. Throws ValueError for arrays that are none of a picture of this size (width, height) in such blocks.
MotionField motion_field_of(const Vectors& vectors, const Counts& distortions, const Counts& costs,
                            std::pair<int, int> picture, std::pair<int, int> block);
/// The same of a tuple of these five.
MotionField motion_field_of(const pybind11::tuple& field);

} // namespace tandem::python
