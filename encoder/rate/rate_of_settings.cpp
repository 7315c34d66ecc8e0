// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/rate_of_settings.h"

#include <algorithm>
#include <cmath>

#include "encoder/rate/controlled_rate.h"
#include "encoder/rate/pace.h"

namespace tandem {

namespace {

/// Pictures by which feedback lags, so that as many can be coded beside the one that is planned, on any machine.
constexpr int feedback_delay = 4;

} // namespace

std::unique_ptr<RateControl> make_rate_control(const Settings& settings, const VideoFormat& format,
                                               const StreamPromise& promise) {
    const RateSettings& rate = settings.rate;
    const bool plain =
        rate.mode() == RateMode::quantiser && rate.vbv_bits <= 0 && rate.zones.empty() && rate.given.empty();
    if (plain) return make_constant_quantiser(settings);
    RateStream stream;
    stream.plan.keyint = settings.keyint;
    stream.plan.bframes = settings.bframes;
    stream.plan.macroblocks = (format.width + 15) / 16 * ((format.height + 15) / 16);
    stream.plan.pictures_per_second = format.frame_rate.value();
    stream.pictures_per_second = format.frame_rate;
    stream.type_factors = {1 / settings.ip_factor, 1, settings.pb_factor};
    stream.quantiser = settings.qp;
    stream.declared_bits_per_second = promise.bits_per_second;
    stream.declared_buffer_bits = promise.buffer_bits;
    stream.delay = feedback_delay;
    return make_rate_control(rate, stream);
}

int likely_quantiser(const Settings& settings, const VideoFormat& format) {
    const RateSettings& rate = settings.rate;
    double quantiser = settings.qp;
    if (rate.mode() == RateMode::quality) quantiser = usual_quantiser(*rate.quality);
    if (rate.mode() == RateMode::average) {
        // A bit for each sample of luma is about what quantiser 1 takes, and bits fall as quantisers rise.
        const double samples = static_cast<double>(format.width) * format.height * format.frame_rate.value();
        quantiser = samples / rate.bits_per_second;
    }
    return static_cast<int>(std::lround(std::clamp(quantiser, rate.least_quantiser, rate.largest_quantiser)));
}

} // namespace tandem
