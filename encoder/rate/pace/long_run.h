// SPDX-License-Identifier: BSD-2-Clause
// What the pictures so far would have taken at one quantiser.
#pragma once

#include <array>

#include "encoder/rate/pace/pace.h"

namespace tandem {

/// Scenes of all kinds are in it, so that the quantiser at which it keeps the rate is one for all of them.
class LongRun {
  public:
    /// What a picture counts is multiplied by `keep` with each later one.
    LongRun(const OutlookPlan& plan, double keep);
    void add(PictureType type, double quantiser, double bits);
    /// Of a picture on average, at a quantiser of P pictures; the view says what is not known yet.
    double mean_bits(const PaceView& view, double quantiser) const;

  private:
    /// Of the pictures of a type. The bits are those of quantiser 1.
    struct Sums {
        double share = 0, count = 0, skipped = 0, bits = 0;
    };
    double keep_;
    double least_;               ///< Bits of any picture.
    std::array<Sums, 3> sums_{}; ///< The shares begin as the plan has them.
};

} // namespace tandem
