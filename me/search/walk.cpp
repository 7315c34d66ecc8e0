// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/walk.h"

#include <algorithm>

#include "me/search.h"

namespace tandem {

namespace {

int half_of(int range) { return (range + 1) / 2; }

int least_sum(int range) {
    int step = 0;
    for (int reach = 0; reach < range; reach += step)
        ++step;
    return step;
}

int first_step_of(const SearchParams& params, WalkSteps steps, int range) {
    if (params.first_step > 0 && range > 0) return params.first_step;
    return steps == WalkSteps::one_less ? least_sum(range) : half_of(range);
}

} // namespace

Walk walk_of(const SearchParams& params) {
    const SearchRow& row = search_row(params.algorithm);
    const bool halves = params.step_sequence == StepSequence::halving && row.halving_walk != nullptr;
    Walk walk = halves ? *row.halving_walk : *row.walk;
    const bool patient = walk.steps == WalkSteps::patient;
    const int range = std::max(params.range_x, params.range_y);
    walk.first_x = patient && params.first_step > 0
                       ? params.first_step
                       : first_step_of(params, walk.steps, patient ? range : params.range_x);
    walk.first_y = patient ? walk.first_x : first_step_of(params, walk.steps, params.range_y);
    return walk;
}

} // namespace tandem
