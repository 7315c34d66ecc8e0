// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/reach.h"

#include <algorithm>

#include "encoder/codec_syntax.h"

namespace tandem {

bool looks_ahead(const Settings& settings) {
    const bool types_are_given =
        std::ranges::any_of(settings.rate.given, [](const GivenPicture& picture) { return picture.type.has_value(); });
    return types_are_given || settings.scenecut > 0 || settings.mbtree ||
           (settings.bframes > 0 && settings.b_adapt != BAdapt::fixed);
}

int largest_distance(const Settings& settings) {
    return std::min(settings.bframes + 1, std::max(settings.keyint - 1, 1));
}

int chosen_range(const Settings& settings) {
    return settings.range.value_or(search_row(settings.search.algorithm).usual_range);
}

// Constrained streams of MPEG-1 have vectors of less than 64 pels.
void set_reach(const Settings& settings, int distance, SearchParams& params) {
    constexpr int farthest = 511, farthest_constrained = 63;
    const int vertical_limit = codec_syntax(settings.codec).most_range_y;
    if (!search_row(params.algorithm).walks) params.start = Start::zero;
    if (begins_at_predictors(params)) {
        params.range_x = chosen_range(settings);
        params.range_y = search_row(params.algorithm).vertical_range(params.range_x);
        const bool constrained =
            settings.codec == Codec::mpeg1 && (settings.max_bitrate_kbps > 0 || settings.rate.vbv_bits > 0);
        params.farthest_x = constrained ? farthest_constrained : farthest;
        params.farthest_y = std::min(params.farthest_x, vertical_limit);
    } else {
        params.range_x = search_range(settings, distance);
        params.range_y = std::min(params.range_x, vertical_limit);
    }
}

VectorLimits longest_vectors(const Settings& settings, int width, int height) {
    SearchParams params = settings.search;
    set_reach(settings, largest_distance(settings), params);
    return vector_limits(params, width, height);
}

int search_range(const Settings& settings, int distance) {
    constexpr int most_by_distance = 63; // As f_code 4 has it, which constrained streams and Low Level may use.
    const int range = chosen_range(settings);
    return std::min(range * distance, std::max(range, most_by_distance));
}

} // namespace tandem
