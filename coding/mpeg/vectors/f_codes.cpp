// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/f_codes.h"

#include <algorithm>
#include <cstdlib>

#include "bitstream/mpeg/code_length.h"

namespace tandem {

std::array<int, 2> f_codes_of(const MotionField& field, Codec codec) {
    int x = 0, y = 0;
    for (const Candidate& candidate : field.all()) {
        if (!has_vector(candidate)) continue;
        x = std::max(x, std::abs(static_cast<int>(candidate.mv.x)));
        y = std::max(y, std::abs(static_cast<int>(candidate.mv.y)));
    }
    if (codec == Codec::mpeg1) x = y = std::max(x, y);
    return {f_code_for(x / eighths_per_half_pel + 1), f_code_for(y / eighths_per_half_pel + 1)};
}

} // namespace tandem
