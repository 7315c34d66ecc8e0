// SPDX-License-Identifier: BSD-2-Clause
#include "tests/coding/real_dct.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace tandem {

namespace {

using Basis = std::array<std::array<double, 8>, 8>; ///< [frequency][position]

Basis make_basis() {
    Basis basis;
    for (std::size_t k = 0; k < 8; ++k) {
        for (std::size_t n = 0; n < 8; ++n) {
            const double angle = static_cast<double>((2 * n + 1) * k) * std::numbers::pi / 16;
            basis[k][n] = k == 0 ? std::sqrt(0.125) : 0.5 * std::cos(angle);
        }
    }
    return basis;
}

const Basis& basis() {
    static const Basis table = make_basis();
    return table;
}

/// out[row][b] = sum over a of in[row][a] * factor(a, b), transposed: two calls transform rows and columns.
template <class Factor> RealBlock transform_rows(const RealBlock& in, Factor factor) {
    RealBlock out;
    for (std::size_t row = 0; row < 8; ++row) {
        for (std::size_t b = 0; b < 8; ++b) {
            double sum = 0;
            for (std::size_t a = 0; a < 8; ++a)
                sum += in[8 * row + a] * factor(a, b);
            out[8 * b + row] = sum;
        }
    }
    return out;
}

} // namespace

RealBlock real_forward_dct(const RealBlock& values) {
    const auto factor = [](std::size_t n, std::size_t k) { return basis()[k][n]; };
    return transform_rows(transform_rows(values, factor), factor);
}

RealBlock real_inverse_dct(const RealBlock& coefficients) {
    const auto factor = [](std::size_t k, std::size_t n) { return basis()[k][n]; };
    return transform_rows(transform_rows(coefficients, factor), factor);
}

} // namespace tandem
