// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/affine.h"

#include <cmath>

namespace tandem {
namespace {

struct SineCosine {
    double sine, cosine;
};

// Taylor series after reduction to a quarter turn: libm's sin() may differ in the last bit between C libraries.
SineCosine sine_cosine(double degrees) {
    const double turns = degrees / 90.0;
    const double quarter = std::floor(turns + 0.5);
    const double radians = (turns - quarter) * 1.57079632679489661923;
    const double square = radians * radians;
    double sine = 0, cosine = 0, term = 1;
    for (int n = 0; n < 22; n += 2) {
        cosine += term;
        sine += term * radians / (n + 1);
        term = -term * square / ((n + 1) * (n + 2));
    }
    const int turn = static_cast<int>(quarter - 4 * std::floor(quarter / 4));
    switch (turn) {
    case 1:
        return {cosine, -sine};
    case 2:
        return {-sine, -cosine};
    case 3:
        return {-cosine, sine};
    default:
        return {sine, cosine};
    }
}

std::int64_t to_fixed(double value) { return static_cast<std::int64_t>(std::floor(value * 4294967296.0 + 0.5)); }

} // namespace

Affine inverse(const Affine& map) {
    const double determinant = map.xx * map.yy - map.xy * map.yx;
    Affine result;
    result.xx = map.yy / determinant;
    result.xy = -map.xy / determinant;
    result.yx = -map.yx / determinant;
    result.yy = map.xx / determinant;
    result.x0 = -(result.xx * map.x0 + result.xy * map.y0);
    result.y0 = -(result.yx * map.x0 + result.yy * map.y0);
    return result;
}

Affine similarity(double scale, double degrees, Point centre, Point shift) {
    const auto [sine, cosine] = sine_cosine(degrees);
    Affine result;
    result.xx = result.yy = scale * cosine;
    result.xy = -(scale * sine);
    result.yx = scale * sine;
    result.x0 = centre.x + shift.x - (result.xx * centre.x + result.xy * centre.y);
    result.y0 = centre.y + shift.y - (result.yx * centre.x + result.yy * centre.y);
    return result;
}

double power(double base, std::int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result *= base;
        base *= base;
    }
    return result;
}

FixedAffine::FixedAffine(const Affine& map)
    : xx(to_fixed(map.xx)), xy(to_fixed(map.xy)), x0(to_fixed(map.x0)), yx(to_fixed(map.yx)), yy(to_fixed(map.yy)),
      y0(to_fixed(map.y0)) {}

} // namespace tandem
