// SPDX-License-Identifier: BSD-2-Clause
// How a quantiser is sought, and how exact it is.
#pragma once

#include <cmath>

namespace tandem {

/// The finest quantiser from `low` to `high` that is not too fine, which every coarser one then is not either: by
/// halving the interval of logarithms so many times. `high` where all are too fine.
template <class IsTooFine>
double finest_quantiser(double low, double high, int halvings, const IsTooFine& is_too_fine) {
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::sqrt(low * high);
        (is_too_fine(middle) ? low : high) = middle;
    }
    return high;
}

/// Quantisers are rounded to this part of their unit, so that the last digit of a power or a logarithm, which may
/// differ between machines, does not reach the stream.
inline constexpr double quantiser_grid = 64;
inline double rounded_quantiser(double quantiser) { return std::round(quantiser * quantiser_grid) / quantiser_grid; }

} // namespace tandem
