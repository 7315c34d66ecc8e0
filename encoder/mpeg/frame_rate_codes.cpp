// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/frame_rate_codes.h"

#include <algorithm>
#include <cmath>

#include "video/frame_rate.h"

namespace tandem {

namespace {

struct NamedRate {
    Rational rate;
    FrameRateCode code;
};

/// Every rate that can be said, plain ones first, then by rising extension.
std::vector<NamedRate> sayable_rates(Codec codec) {
    std::vector<NamedRate> all;
    const int n_end = codec == Codec::mpeg2 ? 4 : 1;
    const int d_end = codec == Codec::mpeg2 ? 32 : 1;
    for (int d = 0; d < d_end; ++d) {
        for (int n = 0; n < n_end; ++n) {
            for (int i = 0; i < 8; ++i) {
                const Rational base = standard_frame_rates[static_cast<std::size_t>(i)];
                all.push_back({{base.numerator * (n + 1), base.denominator * (d + 1)}, {i + 1, n, d}});
            }
        }
    }
    return all;
}

/// Whether pictures of one rate are each shown equally often, or each so many-th of them, at the other.
bool is_even(double times) {
    const double factor = std::max(times, 1 / times);
    return std::abs(factor / std::round(factor) - 1) < 1e-4;
}

} // namespace

std::optional<FrameRateCode> frame_rate_code(Codec codec, Rational rate) {
    for (const NamedRate& named : sayable_rates(codec)) {
        if (same_value(named.rate, rate)) return named.code;
    }
    return std::nullopt;
}

std::vector<Rational> nearest_frame_rates(Codec codec, Rational rate) {
    std::optional<Rational> below, above;
    for (const NamedRate& named : sayable_rates(codec)) {
        const double value = named.rate.value();
        if (value < rate.value() && (!below || value > below->value())) below = named.rate;
        if (value > rate.value() && (!above || value < above->value())) above = named.rate;
    }
    std::vector<Rational> nearest;
    if (below) nearest.push_back(*below);
    if (above) nearest.push_back(*above);
    return nearest;
}

Rational codable_rate(Codec codec, Rational rate, bool is_of_container) {
    const bool is_usual = std::ranges::find(standard_frame_rates, rate) != standard_frame_rates.end();
    if (is_usual || (!is_of_container && frame_rate_code(codec, rate))) return rate;
    const auto distance = [&](Rational other) {
        const double times = other.value() / rate.value();
        constexpr double far = 1000; // Beyond all that are even.
        return std::abs(std::log(times)) + (is_even(times) ? 0 : far);
    };
    return *std::ranges::min_element(standard_frame_rates, {}, distance);
}

} // namespace tandem
