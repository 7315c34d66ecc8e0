// SPDX-License-Identifier: BSD-2-Clause
// Who measures the costs of macroblocks.
#pragma once

#include <string>

#include "coding/costs/macroblock_costs.h"
#include "machine/workers.h"

namespace tandem {

/// A device that measures what the CPU would. One thread at a time. Throws RunError where the device fails, after which
/// it is of no use.
class CostMeter {
  public:
    virtual ~CostMeter() = default;
    virtual std::string name() const = 0;
    /// Measures all of it. The workers copy what goes to the device and what comes from there.
    virtual void measure(const CostWork& work, Workers& workers) = 0;
};

} // namespace tandem
