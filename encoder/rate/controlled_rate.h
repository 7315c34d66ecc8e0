// SPDX-License-Identifier: BSD-2-Clause
// The rate control of an encode: a pace, the user's limits, and a decoder's buffer where there is one.
#pragma once

#include <memory>
#include <optional>

#include "encoder/rate/outlook.h"
#include "encoder/rate/rate_settings.h"
#include "encoder/rate_control.h"
#include "encoder/vbv.h"

namespace tandem {

/// What rate control has to know of the stream.
struct RateStream {
    OutlookPlan plan;
    Rational pictures_per_second;
    std::array<double, 3> type_factors{1, 1, 1}; ///< The quantiser of I, P and B pictures beside that of P pictures.
    int delay = 0; ///< Pictures whose sizes are not known yet when one is planned; with a buffer there are none.
};

/// A decoder's buffer as the settings describe it; nothing where they name none.
std::optional<VbvDescription> buffer_of(const RateSettings& settings, Rational pictures_per_second);

std::unique_ptr<RateControl> make_rate_control(const RateSettings& settings, const RateStream& stream);

} // namespace tandem
