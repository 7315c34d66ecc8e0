// SPDX-License-Identifier: BSD-2-Clause
// When zero motion wins over better vectors, for CPU and GPU alike. `Rules` is SearchParams, or what a GPU's kernels
// take in its stead: a struct with its null_threshold, null_level and null_gain.
#pragma once

#include "me/motion.h"

namespace tandem {

/// Whether zero may be kept before any other vector is tried.
template <class Rules> TANDEM_HOST_DEVICE constexpr bool may_settle_for_zero(const Rules& rules) {
    return rules.null_threshold > 0 || rules.null_level > 0;
}

/// Whether zero may win over better vectors.
template <class Rules> TANDEM_HOST_DEVICE constexpr bool prefers_zero(const Rules& rules) {
    return may_settle_for_zero(rules) || rules.null_gain > 0;
}

/// Whether null_threshold or null_level keeps zero, whose distortion this is, in a block of so many samples.
template <class Rules>
TANDEM_HOST_DEVICE constexpr bool settles_for_zero(const Rules& rules, std::uint32_t at_zero, std::uint64_t samples) {
    return (rules.null_threshold > 0 && at_zero <= rules.null_threshold) ||
           (rules.null_level > 0 && at_zero <= rules.null_level * samples);
}

/// Whether null_gain keeps zero, since the best vector's distortion is too little below that at zero.
template <class Rules>
TANDEM_HOST_DEVICE constexpr bool gains_too_little(const Rules& rules, std::uint32_t at_best, std::uint32_t at_zero,
                                                   std::uint64_t samples) {
    return rules.null_gain > 0 && at_best + rules.null_gain * samples >= at_zero;
}

} // namespace tandem
