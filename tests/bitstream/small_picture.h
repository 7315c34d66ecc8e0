// SPDX-License-Identifier: BSD-2-Clause
// A sequence and a picture that are right, small enough to be written down bit by bit, and to be spoiled.
#pragma once

#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem::test {

MpegSequence cif();

/// One row of three macroblocks: a vector with coefficients, a skipped one, an intra one with its own quantiser.
MpegPicture small_picture();
MpegSequence small_sequence(); ///< Of its size.

} // namespace tandem::test
