// SPDX-License-Identifier: BSD-2-Clause
// The costs of macroblocks for an encoder that may have a device.
#pragma once

#include <string>

#include "coding/coding_devices.h"
#include "coding/costs/cost_meter.h"
#include "coding/late_device.h"
#include "machine/workers.h"

namespace tandem {

/// Measures on a device where there is one, and on the CPU before it comes and, after one warning, from its first
/// failure on. One thread at a time.
class DeviceCosts {
  public:
    /// The workers outlive it.
    DeviceCosts(Workers& workers, const CodingDevices& devices);

    /// Throws RunError where CodingDevices::verify finds a difference.
    void measure(const CostWork& work);

  private:
    void by_cpu(const CostWork& work);
    void verify(const CostWork& work, const std::string& device);

    Workers& workers_;
    const bool verifies_;
    LateDevice<CostMeter> device_;
};

} // namespace tandem
