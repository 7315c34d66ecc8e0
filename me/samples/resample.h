// SPDX-License-Identifier: BSD-2-Clause
// The same motion on another block grid.
#pragma once

#include "me/motion_field.h"

namespace tandem {

/// Each block of the new grid has the candidates of the old block in which its centre lies (of four middle samples the
/// lower right one). Distortions and costs are copied, so they are those of the old blocks; nothing is counted as
/// evaluated. Throws std::invalid_argument for a block side below 1.
MotionField resample(const MotionField& field, int block_width, int block_height);

} // namespace tandem
