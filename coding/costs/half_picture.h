// SPDX-License-Identifier: BSD-2-Clause
// A picture as macroblocks' costs are measured in it.
#pragma once

#include <memory>

#include "me/samples/interpolation.h"
#include "video/frame.h"

namespace tandem {

/// At half its size: means of 2x2 samples.
struct HalfPicture {
    std::shared_ptr<const Frame> frame; ///< Luma alone; chroma is grey.
    SubpelPlanes half_pels;             ///< Of its luma.
};

/// On the calling thread. Sides are multiples of 16.
HalfPicture half_picture_of(const Frame& picture);

} // namespace tandem
