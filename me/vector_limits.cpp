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
    constexpr int least = 63;
    const bool small = width <= 352 && height <= 288;
    const int x = small ? least : std::max(width / 4, least), y = small ? least : std::max(height / 4, least);
    return {std::min(x, params.farthest_x), std::min(y, params.farthest_y)};
}

} // namespace tandem
