// SPDX-License-Identifier: BSD-2-Clause
// Logarithms and powers by additions and multiplications alone, so that every machine has the same. To about 1e-6.
#pragma once

namespace tandem {

/// The logarithm to the base 2; x at least 1.
double log2_of(double x);

/// 2^x, x in -1000..1000.
double power_of_two(double x);

/// x^exponent; x at least 1.
inline double power(double x, double exponent) { return power_of_two(exponent * log2_of(x)); }

} // namespace tandem
