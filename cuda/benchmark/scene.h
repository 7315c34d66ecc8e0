// SPDX-License-Identifier: BSD-2-Clause
// Pictures to time searches on.
#pragma once

#include "video/frame.h"

namespace tandem::cuda {

/// A textured picture that moves from one number to the next, with some noise of its own.
FramePtr moving_picture(int width, int height, int number);

} // namespace tandem::cuda
