// SPDX-License-Identifier: BSD-2-Clause
// How hard a picture is to code, before anybody codes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/workers.h"
#include "me/motion_field.h"
#include "me/search_params.h"
#include "video/plane.h"

namespace tandem {

/// Sums over a picture's macroblocks of 16x16 samples, in absolute differences of luma.
struct PictureCosts {
    std::uint64_t intra = 0; ///< Sum of |x - mean of the macroblock|.
    std::uint64_t inter = 0; ///< Of each macroblock the lesser of that and the SAD of the best vector.
};

/// `luma` is the source at coded size, its sides multiples of 16; `fields` are of its macroblocks, from searches by
/// `metric`; none: inter is intra. Squared errors are taken for the absolute differences that they usually go with.
PictureCosts picture_costs(PlaneView luma, std::span<const MotionField> fields, Metric metric, Workers& workers);

/// By macroblock, the lesser of intra and inter as above, halved: as much as it would cost in Importance::residual.
std::vector<float> macroblock_residuals(PlaneView luma, std::span<const MotionField> fields, Metric metric,
                                        Workers& workers);

} // namespace tandem
