// SPDX-License-Identifier: BSD-2-Clause
// Vectors predicted from neighbouring blocks.
#pragma once

#include "me/motion_field.h"

namespace tandem {

/// The median, by component, of the best vectors to the left, above, and above to the right (to the left in the last
/// column), in which zero stands for what is outside the picture or has no candidate; in the first row the vector to
/// the left. Reads block rows row - 1 and row.
Mv median_of_neighbours(const MotionField& field, int column, int row);

/// A field of the same geometry with one candidate per block, whose vectors in block rows first_row..end_row-1 are
/// those medians; a hint for the pass that follows. Its distortions and costs say nothing.
MotionField medians_of_neighbours(const MotionField& field, int first_row, int end_row);

} // namespace tandem
