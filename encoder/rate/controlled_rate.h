// SPDX-License-Identifier: BSD-2-Clause
// The rate control of an encode: a pace, the user's limits, and a decoder's buffer where there is one.
#pragma once

#include <memory>
#include <optional>

#include "encoder/rate/outlook.h"
#include "encoder/rate/rate_settings.h"
#include "encoder/rate/vbv.h"
#include "encoder/rate_control.h"

namespace tandem {

/// What rate control has to know of the stream.
struct RateStream {
    OutlookPlan plan;
    Rational pictures_per_second;
    std::array<double, 3> type_factors{1, 1, 1}; ///< The quantiser of I, P and B pictures beside that of P pictures.
    double quantiser = 8;                        ///< RateMode::quantiser: of P pictures.
    std::int64_t declared_bits_per_second = 0;   ///< As the stream says them, where the settings name a buffer.
    std::int64_t declared_buffer_bits = 0;
    int delay = 0; ///< Pictures whose sizes are not known yet when one is planned; with a buffer there are none.
};

/// A decoder's buffer as the settings ask for it and the stream declares it; nothing where they name none.
std::optional<VbvDescription> buffer_of(const RateSettings& settings, const RateStream& stream);

std::unique_ptr<RateControl> make_rate_control(const RateSettings& settings, const RateStream& stream);

} // namespace tandem
