// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation: the picture that a field predicts, and what it leaves over.
#pragma once

#include <memory>
#include <span>

#include "machine/workers.h"
#include "me/motion_field.h"
#include "me/pels.h"
#include "me/search_params.h"
#include "video/frame.h"

namespace tandem {

/// prediction(p) = reference(p + mv) with the best vector of each block, at the field's picture size. Samples outside
/// of the reference replicate its edge, so fields of both kinds of boundary are predicted as they were searched. Luma
/// is interpolated as the search did it, bit for bit. Chroma of 4:2:0 is bilinear at the sixteenths of a chroma sample
/// that a vector in eighths of a luma sample says, (sum of weights * samples + 128) >> 8, whatever the luma's
/// interpolation (as in H.264); chroma sample (x, y) moves with luma sample (2x, 2y).
/// Throws InputError where the field's picture size is not the reference's, or a vector is finer than the six taps
/// interpolate (1/4 pel).
std::unique_ptr<Frame> predict_picture(const Frame& reference, const MotionField& field, Interpolation interpolation,
                                       Workers& workers);

/// The same with a vector of its own for each sample of luma, in raster order, in pels and not rounded: bilinear in
/// doubles, rounded to the nearest sample value, halves up. NaN: the sample stays where it is. Chroma sample (x, y)
/// moves by half the vector of luma sample (2x, 2y). Throws InputError where there are not as many vectors as samples.
std::unique_ptr<Frame> predict_samples(const Frame& reference, std::span<const Pels> vectors, Workers& workers);

/// The displaced frame difference as a picture: current - prediction + 128 in all planes, clamped to 0..255.
/// Both have the same size (std::invalid_argument).
std::unique_ptr<Frame> residual_picture(const Frame& current, const Frame& prediction);

} // namespace tandem
