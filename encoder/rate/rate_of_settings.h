// SPDX-License-Identifier: BSD-2-Clause
// Which rate control an encode has.
#pragma once

#include <memory>
#include <optional>

#include "encoder/rate/first_guess.h"
#include "encoder/rate_control.h"

namespace tandem {

/// The rate control that the settings ask for. `promise` is what the stream declares.
std::unique_ptr<RateControl> make_rate_control(const Settings& settings, const VideoFormat& format,
                                               const StreamPromise& promise);

/// The quantiser of P pictures that the settings make likely, before anything is known of the video: what vectors'
/// bits are weighed by in searches ahead. RateMode::quantiser: Settings::qp.
int likely_quantiser(const Settings& settings, const VideoFormat& format);

/// What tells the quantiser when pictures have been looked at; nothing without a bit rate.
std::optional<FirstGuess> first_guess(const Settings& settings, const VideoFormat& format);

} // namespace tandem
