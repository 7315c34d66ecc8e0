// SPDX-License-Identifier: BSD-2-Clause
// The temporal filter of an encoder that may have a device.
#pragma once

#include "coding/coding_devices.h"
#include "coding/filter/picture_filter.h"
#include "coding/late_device.h"

namespace tandem {

/// Filters on a device where there is one, and on the CPU before it comes and, after one warning, from its first
/// failure on. One thread at a time.
class DeviceFilter {
  public:
    /// The workers outlive it.
    DeviceFilter(Workers& workers, const CodingDevices& devices);

    /// As temporally_filtered(). Throws RunError where CodingDevices::verify finds a difference.
    FramePtr filtered(const FilterInput& input);

  private:
    void verify(const FilterInput& input, const Frame& filtered, const std::string& device);

    Workers& workers_;
    const bool verifies_;
    LateDevice<PictureFilter> device_;
};

} // namespace tandem
