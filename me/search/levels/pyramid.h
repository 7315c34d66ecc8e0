// SPDX-License-Identifier: BSD-2-Clause
// A plane at 1, 1/2, 1/4 ... of its size.
#pragma once

#include <vector>

#include "machine/workers.h"
#include "video/plane.h"

namespace tandem {

/// Owns the smaller levels; level 0 is the plane given, which must outlive the pyramid.
/// A level has (size + 1) / 2 samples of the one below it: sample (x, y) is the mean of the 4x4 samples about
/// (2x + 1/2, 2y + 1/2) with the weights 1 3 3 1 in both directions, ((sum + 32) >> 6), edges replicated.
class Pyramid {
  public:
    /// `border` samples at full size are replicated about each smaller level, as many as its scale needs.
    Pyramid(PlaneView plane, int levels, int border, Workers& workers);

    PlaneView level(int index) const;

  private:
    PlaneView base_;
    std::vector<Plane> smaller_;
};

} // namespace tandem
