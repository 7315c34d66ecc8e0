// SPDX-License-Identifier: BSD-2-Clause
// Vectors in pels, as files and people have them.
#pragma once

#include <limits>
#include <vector>

#include "me/motion_field.h"

namespace tandem {

/// x to the right, y down; both NaN where there is no vector.
struct Pels {
    float x = std::numeric_limits<float>::quiet_NaN();
    float y = std::numeric_limits<float>::quiet_NaN();
};

inline float to_pels(std::int16_t eighths) { return static_cast<float>(eighths) / eighths_per_pel; }

inline Pels pels_of(const Candidate& candidate) {
    return has_vector(candidate) ? Pels{to_pels(candidate.mv.x), to_pels(candidate.mv.y)} : Pels{};
}

/// Each block's best vector, in raster order.
inline std::vector<Pels> best_in_pels(const MotionField& field) {
    std::vector<Pels> vectors;
    for (int row = 0; row < field.rows(); ++row)
        for (int column = 0; column < field.columns(); ++column)
            vectors.push_back(pels_of(field.best(column, row)));
    return vectors;
}

} // namespace tandem
