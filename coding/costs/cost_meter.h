// SPDX-License-Identifier: BSD-2-Clause
// Who measures the costs of macroblocks.
#pragma once

#include <string>

#include "coding/costs/macroblock_costs.h"

namespace tandem {

/// A device that measures what the CPU would. One thread at a time. Throws RunError where the device fails, after which
/// it is of no use.
class CostMeter {
  public:
    virtual ~CostMeter() = default;
    virtual std::string name() const = 0;
    virtual void measure(const CostWork& work) = 0;
};

} // namespace tandem
