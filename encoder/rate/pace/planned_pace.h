// SPDX-License-Identifier: BSD-2-Clause
// The pace of a second pass: from what each picture took in the pass before.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "encoder/rate/pace/pace.h"
#include "encoder/rate/vbv.h"

namespace tandem {

struct PassPlan {
    std::vector<double> quantisers; ///< Of P pictures, by place in coding order.
    std::vector<double> bits;       ///< Expected.
    std::vector<double> elastic;    ///< Of these, what quantisers change: nothing of a picture that is skipped.
    /// The whole is beyond what quantisers from least to largest can give: the bits that are expected instead.
    std::optional<double> unreachable;
};

/// A picture that took no more than bits_of_skipped() does so at any quantiser. Shares out bits so that the
/// whole keeps the rate and complex parts are quantised as the compression says; with a buffer, so that none of the
/// expected pictures underflows it where quantisers can help that.
PassPlan plan_pass(const RateSettings& settings, const std::array<double, 3>& type_factors,
                   Rational pictures_per_second, const OutlookPlan& stream,
                   const std::optional<VbvDescription>& buffer);

/// Keeps to that plan and makes up for what pictures take otherwise than expected. Throws InputError from quantiser()
/// where a picture is none of the pass before.
std::unique_ptr<Pace> make_planned_pace(const RateSettings& settings, const std::array<double, 3>& type_factors,
                                        Rational pictures_per_second, const OutlookPlan& stream,
                                        const std::optional<VbvDescription>& buffer);

} // namespace tandem
