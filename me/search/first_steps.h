// SPDX-License-Identifier: BSD-2-Clause
// Where the searches with a falling sequence of steps begin, on any backend.
#pragma once

#include <algorithm>

#include "me/search_params.h"

namespace tandem {

/// In pels; 0 on an axis on which no step is to be made.
struct FirstSteps {
    int x = 0, y = 0;
};

/// Those of the three-step and the logarithmic search, unless SearchParams::first_step says others. Steps that halve
/// begin with half the range, rounded up: Koga's 4, 2, 1 for a range of 7. Mazaré's m, m-1, ... begin with the least m
/// for which m + (m-1) + ... + 1 reaches the whole range. The cross of Jain and Jain (1981) has one step for both axes.
inline FirstSteps first_steps(const SearchParams& params) {
    const auto half = [](int range) { return (range + 1) / 2; };
    const auto least_sum = [](int range) {
        int step = 0;
        for (int reach = 0; reach < range; reach += step)
            ++step;
        return step;
    };
    const bool logarithmic = params.algorithm == Algorithm::logarithmic;
    if (logarithmic && params.step_sequence == StepSequence::halving) {
        const int first = params.first_step > 0 ? params.first_step : half(std::max(params.range_x, params.range_y));
        return {first, first};
    }
    const auto of_axis = [&](int range) {
        if (params.first_step > 0 && range > 0) return params.first_step;
        return logarithmic ? least_sum(range) : half(range);
    };
    return {of_axis(params.range_x), of_axis(params.range_y)};
}

} // namespace tandem
