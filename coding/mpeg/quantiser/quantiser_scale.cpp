// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/quantiser/quantiser_scale.h"

#include <algorithm>

#include "coding/mpeg/kernels/transform.h"

namespace tandem {

namespace {

constexpr int largest_code = 31;

double non_linear_quantiser(int code) { return quantiser_scale(code, true) / 2.0; }

} // namespace

double quantiser_of_code(double code, bool non_linear) {
    if (!non_linear) return code;
    const int below = std::clamp(static_cast<int>(code), 1, largest_code - 1);
    const double first = non_linear_quantiser(below), next = non_linear_quantiser(below + 1);
    return first + (code - below) * (next - first);
}

double code_of_quantiser(double quantiser, bool non_linear) {
    if (!non_linear) return quantiser;
    int above = 2;
    while (above < largest_code && non_linear_quantiser(above) < quantiser)
        ++above;
    const double first = non_linear_quantiser(above - 1), next = non_linear_quantiser(above);
    return std::clamp(above - 1 + (quantiser - first) / (next - first), 1.0, double{largest_code});
}

} // namespace tandem
