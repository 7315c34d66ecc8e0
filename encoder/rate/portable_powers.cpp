// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/portable_powers.h"

#include <cmath>

namespace tandem {

/// By the series of the inverse hyperbolic tangent.
double log2_of(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    const double t = (mantissa - 0.75) / (mantissa + 0.75), square = t * t;
    constexpr double two_over_ln_2 = 2.8853900817779268, log2_of_three_quarters = -0.41503749927884381;
    const double series = t * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9))));
    return exponent + log2_of_three_quarters + two_over_ln_2 * series;
}

double power_of_two(double x) {
    const int whole = static_cast<int>(x) - 1;
    const double y = (x - whole) * 0.69314718055994531;
    double sum = 1;
    for (int i = 12; i > 0; --i)
        sum = 1 + sum * y / i;
    return std::ldexp(sum, whole);
}

} // namespace tandem
