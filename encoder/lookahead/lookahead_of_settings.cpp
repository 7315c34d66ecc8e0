// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/lookahead_of_settings.h"

#include <algorithm>

#include "coding/mpeg/quantiser/quantiser_scale.h"

namespace tandem {

LookaheadSettings lookahead_settings(const Settings& settings) {
    LookaheadSettings ahead;
    ahead.rules.keyint = settings.keyint;
    ahead.rules.min_keyint = std::max(1, settings.min_keyint > 0 ? settings.min_keyint : settings.keyint / 10);
    ahead.rules.most_b = settings.keyint > 1 ? settings.bframes : 0;
    ahead.rules.b_adapt = settings.b_adapt;
    ahead.rules.scenecut = settings.scenecut;
    ahead.rules.closed = settings.closed_gop;
    ahead.pictures = settings.plan_ahead;
    ahead.importance = settings.mbtree;
    ahead.quantiser = quantiser_of_code(settings.qp, settings.non_linear_quantiser);
    ahead.strength = settings.mbtree_strength;
    ahead.filter = settings.temporal_filter;
    for (const GivenPicture& picture : settings.rate.given)
        if (picture.type) ahead.given.emplace(picture.display_index, *picture.type);
    return ahead;
}

} // namespace tandem
