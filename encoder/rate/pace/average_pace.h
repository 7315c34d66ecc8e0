// SPDX-License-Identifier: BSD-2-Clause
// The pace of a bit rate in one pass.
#pragma once

#include <memory>

#include "encoder/rate/pace/pace.h"

namespace tandem {

/// RateMode::average without a pass before. The quantiser is one at which all pictures so far would have kept the rate,
/// so that it stays nearly the same from scene to scene; and it leaves that where what comes would otherwise lead
/// farther from the rate than is tolerated: some tenths of a second of it at first, and later more.
std::unique_ptr<Pace> make_average_pace(const RateSettings& settings, const OutlookPlan& plan);

} // namespace tandem
