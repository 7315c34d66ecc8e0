// SPDX-License-Identifier: BSD-2-Clause
// The f_codes by which the bits of vectors are counted while they are still being chosen, and which vectors are worth
// theirs.
#pragma once

#include <array>
#include <cstdint>

#include "me/motion_field.h"
#include "video/codec.h"
#include "video/picture_type.h"

namespace tandem {

/// The smallest f_codes, horizontal and vertical (13818-2 table 7-8), that hold every candidate of a field and the half
/// pels about it: so they are known before the field is refined on the reconstruction. MPEG-1 has one for both
/// components. The picture's header has the smaller ones of the vectors in use.
std::array<int, 2> f_codes_of(const MotionField& field, Codec codec);

/// One f_code serves all vectors of a picture: the next larger one holds vectors of twice the length, and all others
/// take more bits for the sake of those. Takes the candidates out of a field that are longer than is worth it: those
/// beyond the f_codes by which the blocks' best vectors would be coded for the least distortion / 4 + lambda * bits,
/// row by row. (Of what a vector saves in distortion a part alone is saved in bits: docs/plan.md.) No block loses all
/// its candidates. `lambda_q8`: distortion per bit times 256.
void limit_vectors(MotionField& field, Codec codec, PictureType type, std::uint32_t lambda_q8);

} // namespace tandem
