// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/frame_rate_codes.h"

#include <algorithm>
#include <cmath>

#include "video/frame_rate.h"

namespace tandem {

namespace {

bool equal(Rational a, Rational b) { return a.numerator * b.denominator == b.numerator * a.denominator; }

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

} // namespace

std::optional<FrameRateCode> frame_rate_code(Codec codec, Rational rate) {
    for (const NamedRate& named : sayable_rates(codec)) {
        if (equal(named.rate, rate)) return named.code;
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

Rational codable_rate(Codec codec, Rational rate) {
    if (frame_rate_code(codec, rate)) return rate;
    const auto distance = [&](Rational other) { return std::abs(std::log(other.value() / rate.value())); };
    return *std::ranges::min_element(standard_frame_rates, {}, distance);
}

} // namespace tandem
