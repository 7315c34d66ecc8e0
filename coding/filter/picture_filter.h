// SPDX-License-Identifier: BSD-2-Clause
// Who filters pictures.
#pragma once

#include <string>

#include "coding/filter/temporal_filter.h"

namespace tandem {

/// A device's temporal filter, of the same samples as the CPU's.
class PictureFilter {
  public:
    virtual ~PictureFilter() = default;
    virtual std::string name() const = 0;
    /// As temporally_filtered(). One thread at a time. Throws RunError where the device fails.
    virtual FramePtr filtered(const FilterInput& input) = 0;
};

} // namespace tandem
