// SPDX-License-Identifier: BSD-2-Clause
// The f_codes by which the bits of vectors are counted while they are still being chosen.
#pragma once

#include <array>

#include "me/motion_field.h"
#include "video/codec.h"

namespace tandem {

/// The smallest f_codes, horizontal and vertical (13818-2 table 7-8), that hold every candidate of a field and the half
/// pels about it: so they are known before the field is refined on the reconstruction. MPEG-1 has one for both
/// components. The picture's header has the smaller ones of the vectors in use.
std::array<int, 2> f_codes_of(const MotionField& field, Codec codec);

} // namespace tandem
