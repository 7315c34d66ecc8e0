// SPDX-License-Identifier: BSD-2-Clause
// What is asked of the coprocessor for pictures before they are coded.
#pragma once

#include <cstdint>

#include "encoder/settings.h"
#include "me/search_params.h"
#include "video/picture_type.h"

namespace tandem {

class Coprocessor;

/// How many pictures wait while their motion is under way. Settings::lookahead, or where it is 0 what the machine can
/// use: few for a GPU that searches, twice as many for each of several, which answer out of order, few where none is
/// ahead, else so many that each of the encoder's `threads` can find one to search.
int pictures_ahead(const Settings& settings, const Coprocessor& motion, int threads);

/// The quantiser_scale_code of a picture type under constant quantisers.
int quantiser_code(const Settings& settings, PictureType type);

/// The search's parameters for pictures of a type, so many pictures from their reference: macroblocks, inside the
/// picture, on the search's grid, and bits weighed by the quantiser.
SearchParams search_params(const Settings& settings, PictureType type, int distance);

/// Those of the half-pel steps on the reconstruction after it: by SAD of luma, whatever the search went by.
/// `quantiser` is the picture's, in the codec's unit.
SearchParams refinement_params(const Settings& settings, PictureType type, int distance, double quantiser);

/// Distortion per bit of a vector times 256, by the search's metric. `quantiser` is the picture's, in the codec's unit.
std::uint32_t vector_lambda_q8(const Settings& settings, double quantiser);

} // namespace tandem
