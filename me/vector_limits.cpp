// SPDX-License-Identifier: BSD-2-Clause
// How long the vectors of a search may be.
#include <algorithm>

#include "me/search.h"
#include "me/search_params.h"

namespace tandem {

bool begins_at_predictors(const SearchParams& params) {
    return params.start == Start::predictors || search_row(params.algorithm).begins_at_predictors;
}

VectorLimits vector_limits(const SearchParams& params, int width, int height) {
    if (!begins_at_predictors(params)) return {params.range_x, params.range_y};
    // Beyond a quarter of a picture motion is rare, but in small pictures that is little: a few pictures between two
    // are enough for more.
    constexpr int least_x = 255, least_y = 127;
    const auto plausible = [](int side, int least) { return std::max(side / 4, std::min(side, least)); };
    return {std::min(plausible(width, least_x), params.farthest_x),
            std::min(plausible(height, least_y), params.farthest_y)};
}

} // namespace tandem
