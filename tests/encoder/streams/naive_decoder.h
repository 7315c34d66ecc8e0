// SPDX-License-Identifier: BSD-2-Clause
// Rebuilds a coded picture as the standards word it, with the DCT in double precision.
#pragma once

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/reference.h"

namespace tandem::test {

/// The picture at coded size. A skipped macroblock is what a decoder makes of it, whatever the picture's arrays say.
/// Checks on its way what a stream may not hold: a macroblock skipped where none may be, a vector out of the picture, a
/// level out of range, a pattern that is not that of the levels.
std::shared_ptr<Frame> decode_naively(const MpegPicture& picture, const MpegSequence& sequence, bool mpeg1,
                                      const References& references);

/// The largest difference of two frames of one size.
int largest_difference(const Frame& a, const Frame& b);

} // namespace tandem::test
