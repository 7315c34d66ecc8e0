// SPDX-License-Identifier: BSD-2-Clause
// Affine maps of the plane, computed with nothing but + - * /, which IEEE 754 rounds alike on every machine.
#pragma once

#include <cstdint>

namespace tandem {

struct Point {
    double x = 0, y = 0;
};

/// (x, y) -> (xx x + xy y + x0, yx x + yy y + y0).
struct Affine {
    double xx = 1, xy = 0, x0 = 0;
    double yx = 0, yy = 1, y0 = 0;
    Point operator()(Point p) const { return {xx * p.x + xy * p.y + x0, yx * p.x + yy * p.y + y0}; }
};

/// The map that undoes `map` (whose determinant must not be 0).
Affine inverse(const Affine& map);

/// Magnifies by `scale` and turns by `degrees` (clockwise on the screen) about `centre`, then moves by `shift`.
Affine similarity(double scale, double degrees, Point centre, Point shift);

/// base^exponent by repeated multiplication; exponent >= 0.
double power(double base, std::int64_t exponent);

/// The same map in units of 2^-32, for integer evaluation at whole coordinates.
struct FixedAffine {
    explicit FixedAffine(const Affine& map);
    std::int64_t xx, xy, x0, yx, yy, y0;
};

} // namespace tandem
