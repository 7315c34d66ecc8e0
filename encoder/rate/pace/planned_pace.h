// SPDX-License-Identifier: BSD-2-Clause
// The pace of a second pass: from what each picture took in the pass before.
#pragma once

#include <memory>
#include <optional>

#include "encoder/rate/pace/pace.h"
#include "encoder/rate/vbv.h"

namespace tandem {

/// Shares out the bits of the whole by what the pass before says, and makes up for what pictures take otherwise than
/// expected. A picture that took no more than bits_of_skipped() does so at any quantiser. Throws InputError from
/// quantiser() where a picture is none of the pass before.
std::unique_ptr<Pace> make_planned_pace(const RateSettings& settings, const std::array<double, 3>& type_factors,
                                        Rational pictures_per_second, const OutlookPlan& stream,
                                        const std::optional<VbvDescription>& buffer);

} // namespace tandem
