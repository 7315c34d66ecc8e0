// SPDX-License-Identifier: BSD-2-Clause
// What is asked of the coprocessor for pictures before they are coded.
#pragma once

#include "encoder/settings.h"
#include "me/search_params.h"
#include "video/picture_type.h"

namespace tandem {

/// The quantiser_scale_code of a picture type under constant quantisers.
int quantiser_code(const Settings& settings, PictureType type);

/// The search's parameters for pictures of a type, so many pictures from their reference: macroblocks, inside the
/// picture, on the search's grid, and bits weighed by the quantiser.
SearchParams search_params(const Settings& settings, PictureType type, int distance);

/// Those of the half-pel steps on the reconstruction after it: by SAD of luma, whatever the search went by.
/// `quantiser` is the picture's, in the codec's unit.
SearchParams refinement_params(const Settings& settings, PictureType type, int distance, double quantiser);

} // namespace tandem
