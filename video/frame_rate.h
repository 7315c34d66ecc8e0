// SPDX-License-Identifier: BSD-2-Clause
// The frame rates that have a code of their own.
#pragma once

#include <array>
#include <cmath>

#include "video/frame.h"

namespace tandem {

/// ISO/IEC 13818-2 table 6-4, codes 1 to 8.
inline constexpr std::array<Rational, 8> standard_frame_rates{
    {{24000, 1001}, {24, 1}, {25, 1}, {30000, 1001}, {30, 1}, {50, 1}, {60000, 1001}, {60, 1}}};

/// Whether they are one number, however it is written: 50/2 and 25.
inline bool same_value(Rational a, Rational b) { return a.numerator * b.denominator == b.numerator * a.denominator; }

/// The one of them that is meant, within 1/10000, by a rounded rate such as 2997/100; otherwise the rate as it is.
inline Rational nearest_standard_rate(Rational rate) {
    for (const Rational& standard : standard_frame_rates) {
        if (std::abs(rate.value() / standard.value() - 1) < 1e-4) return standard;
    }
    return rate;
}

/// The same of a rate that somebody wrote as a decimal fraction, which may also be another n * 1000/1001: 23.98,
/// 119.88.
inline Rational rate_of_decimal(Rational rate) {
    const Rational standard = nearest_standard_rate(rate);
    const double thousandths = rate.value() * 1.001, whole = std::round(thousandths);
    if (standard != rate || rate.denominator == 1 || whole < 1 || std::abs(thousandths - whole) > 0.005)
        return standard;
    return {static_cast<std::int64_t>(whole) * 1000, 1001};
}

} // namespace tandem
