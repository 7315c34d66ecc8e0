// SPDX-License-Identifier: BSD-2-Clause
// The answer to a request of motion.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "me/motion_field.h"

namespace tandem {

/// Stands between the names of several backends.
inline constexpr std::string_view backend_separator = " + ";

/// Adds those of the names in `more` that `names` does not have yet.
void add_backends(std::string& names, std::string_view more);

/// What a future holds: the fields, and who made them when.
struct MotionResult {
    MotionField field;                ///< Of the request's blocks; where it names sizes, of the first,
    std::vector<MotionField> further; ///< and of those after it, in their order.
    std::string backend;              ///< Of a request that was cut, all that had a part: "gpu:0 NAME + gpu:1 NAME".
    std::chrono::microseconds duration{}; ///< Spent in the estimators that answered, one after the other;
    ///< an even part of what requests took that were searched together.
};

} // namespace tandem
