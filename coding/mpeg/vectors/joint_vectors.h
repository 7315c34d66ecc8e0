// SPDX-License-Identifier: BSD-2-Clause
// Two vectors of a B picture's macroblock that fit each other.
#pragma once

#include <array>
#include <cstdint>

#include "coding/mpeg/decide.h"

namespace tandem {

/// Forward and backward, and the SAD of the mean of what they predict.
struct JointVectors {
    std::array<Mv, 2> mv;
    std::uint32_t sad = 0;
};

/// Each vector was chosen as if it predicted alone; what the mean of two predictions leaves may be less half a pel
/// away. So the chosen forward vector takes a half-pel step beside the backward one, and then the backward vector
/// beside that (Wu and Gersho, "Joint estimation of forward and backward motion vectors for interpolative prediction of
/// video", IEEE Transactions on Image Processing, 1994, go on so until nothing changes). The cost is SAD + lambda *
/// bits after the vector that was chosen for the macroblock to the left, by which macroblocks do not hang on each
/// other; of equal ones the first. No vector needs a larger f_code than the picture's.
JointVectors step_jointly(const DecideInput& input, int macroblock, bool starts_slice);

} // namespace tandem
