// SPDX-License-Identifier: BSD-2-Clause
// Lengths that every machine rounds alike, which std::hypot() does not promise.
#pragma once

#include <cmath>

#include "me/motion.h"

namespace tandem {

inline double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

inline double length_in_pels(Mv mv) { return length_of(mv.x, mv.y) / eighths_per_pel; }

} // namespace tandem
