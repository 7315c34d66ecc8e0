// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/rate_of_settings.h"

#include <algorithm>
#include <cmath>

#include "coding/mpeg/quantiser/quantiser_scale.h"
#include "encoder/rate/controlled_rate.h"
#include "encoder/rate/pace/pace.h"

namespace tandem {

namespace {

/// Pictures by which feedback lags, so that as many can be coded beside the one that is planned, on any machine.
constexpr int feedback_delay = 4;

/// What users say in codes, in quantisers.
RateSettings in_quantisers(RateSettings rate, bool non_linear) {
    rate.least_quantiser = quantiser_of_code(rate.least_quantiser, non_linear);
    rate.largest_quantiser = quantiser_of_code(rate.largest_quantiser, non_linear);
    for (Zone& zone : rate.zones)
        if (zone.quantiser) zone.quantiser = quantiser_of_code(*zone.quantiser, non_linear);
    for (GivenPicture& picture : rate.given)
        if (picture.quantiser) picture.quantiser = quantiser_of_code(*picture.quantiser, non_linear);
    return rate;
}

std::array<double, 3> type_factors(const Settings& settings) { return {1 / settings.ip_factor, 1, settings.pb_factor}; }

} // namespace

std::unique_ptr<RateControl> make_rate_control(const Settings& settings, const VideoFormat& format,
                                               const StreamPromise& promise) {
    const RateSettings rate = in_quantisers(settings.rate, settings.non_linear_quantiser);
    const bool plain =
        rate.mode() == RateMode::quantiser && rate.vbv_bits <= 0 && rate.zones.empty() && rate.given.empty();
    if (plain) return make_constant_quantiser(settings);
    RateStream stream;
    stream.plan.keyint = settings.keyint;
    stream.plan.bframes = settings.bframes;
    stream.plan.macroblocks = (format.width + 15) / 16 * ((format.height + 15) / 16);
    stream.plan.rows = (format.height + 15) / 16;
    stream.plan.pictures_per_second = format.frame_rate.value();
    stream.pictures_per_second = format.frame_rate;
    stream.type_factors = type_factors(settings);
    stream.quantiser = quantiser_of_code(settings.qp, settings.non_linear_quantiser);
    stream.declared_bits_per_second = promise.bits_per_second;
    stream.declared_buffer_bits = promise.buffer_bits;
    stream.delay = feedback_delay;
    return make_rate_control(rate, stream);
}

int likely_quantiser(const Settings& settings, const VideoFormat& format) {
    const RateSettings rate = in_quantisers(settings.rate, settings.non_linear_quantiser);
    double quantiser = quantiser_of_code(settings.qp, settings.non_linear_quantiser);
    if (rate.mode() == RateMode::quality) quantiser = usual_quantiser(*rate.quality);
    if (rate.mode() == RateMode::average) {
        // A bit for each sample of luma is about what quantiser 1 takes, and bits fall as quantisers rise.
        const double samples = static_cast<double>(format.width) * format.height * format.frame_rate.value();
        quantiser = samples / rate.bits_per_second;
    }
    quantiser = std::clamp(quantiser, rate.least_quantiser, rate.largest_quantiser);
    return static_cast<int>(std::lround(code_of_quantiser(quantiser, settings.non_linear_quantiser)));
}

std::optional<FirstGuess> first_guess(const Settings& settings, const VideoFormat& format) {
    const RateSettings rate = in_quantisers(settings.rate, settings.non_linear_quantiser);
    if (rate.mode() != RateMode::average) return std::nullopt;
    return FirstGuess{rate.bits_per_second / format.frame_rate.value(), type_factors(settings), rate.least_quantiser,
                      rate.largest_quantiser};
}

} // namespace tandem
