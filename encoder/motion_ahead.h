// SPDX-License-Identifier: BSD-2-Clause
// Asks the coprocessor for the motion of pictures before they are coded.
#pragma once

#include <future>

#include "encoder/picture_order.h"
#include "encoder/settings.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

/// A planned picture and the fields that are under way for it.
struct PendingPicture {
    PlannedPicture plan;
    std::future<MotionResult> forward, backward; ///< Not valid() where not asked for.
};

/// The quantiser_scale_code of a picture type under constant quantisers.
int quantiser_code(const Settings& settings, PictureType type);

/// What a bit is worth in SAD at a quantiser_scale (MPEG-2's units, see quantiser_scale()): SAD per bit times 256.
std::uint32_t sad_lambda_q8(int scale);

/// The same in squared error, times 64.
std::uint32_t squared_error_lambda_q6(int scale);

/// The search's parameters for pictures of a type, so many pictures from their reference: macroblocks, inside the
/// picture, on the search's grid, and bits weighed by the quantiser.
SearchParams search_params(const Settings& settings, PictureType type, int distance);

/// Those of the half-pel steps on the reconstruction after it: by SAD of luma, whatever the search went by.
SearchParams refinement_params(const Settings& settings, PictureType type, int distance);

/// Submits the picture's requests (none for an I picture) against the given references, source or reconstructed.
void request_motion(Coprocessor& motion, const Settings& settings, PendingPicture& picture, const FramePtr& forward,
                    const FramePtr& backward);

} // namespace tandem
