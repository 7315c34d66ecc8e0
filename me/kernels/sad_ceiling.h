// SPDX-License-Identifier: BSD-2-Clause
// What a processor could do at best: the SAD instructions of the searches on registers alone, without a load, a
// comparison or a loop over positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "machine/simd_level.h"

namespace tandem {

struct SadCeiling {
    std::string_view instructions; ///< "vdbpsadbw and vpaddusw, 512 bits".
    int differences;               ///< |a - b| of samples that one of the rounds sums.
    /// Runs so many rounds, one thread; the result depends on them, so that they cannot be left out.
    std::uint64_t (*run)(std::uint64_t rounds);
};

/// Nothing for the scalar level, whose instructions the compiler chooses, and where the machine lacks the level.
std::optional<SadCeiling> sad_ceiling(SimdLevel level);

} // namespace tandem
