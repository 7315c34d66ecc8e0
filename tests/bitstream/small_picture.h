// SPDX-License-Identifier: BSD-2-Clause
// A sequence and a picture that are right, small enough to be written down bit by bit, and to be spoiled.
#pragma once

#include "bitstream/mpeg/picture_code.h"

namespace tandem::test {

SequenceCode cif();

/// One row of three macroblocks: a vector with coefficients, a skipped one, an intra one with its own quantiser.
PictureCode small_picture();
SequenceCode small_sequence(); ///< Of its size.

} // namespace tandem::test
