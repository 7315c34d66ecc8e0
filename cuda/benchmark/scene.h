// SPDX-License-Identifier: BSD-2-Clause
// Pictures to time searches on.
#pragma once

#include <vector>

#include "video/frame.h"

namespace tandem::cuda {

inline constexpr int hd_width = 1920, hd_height = 1080;

/// A textured picture that moves from one number to the next, with some noise of its own.
FramePtr moving_picture(int width, int height, int number);

/// So many, of which only some are drawn, and repeated in frames of their own: a frame that comes again is a new one to
/// the caches.
std::vector<FramePtr> new_pictures(int width, int height, int count);

} // namespace tandem::cuda
