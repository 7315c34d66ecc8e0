// SPDX-License-Identifier: BSD-2-Clause
// The costs of CostRow, measured in pictures of half size. A row of macroblocks at a time: rows are independent.
#pragma once

#include "encoder/lookahead/cost_table.h"
#include "me/motion_field.h"
#include "me/samples/interpolation.h"
#include "video/plane.h"

namespace tandem {

/// Samples of a macroblock's side at half size.
inline constexpr int half_macroblock = 8;

/// Fills row `row` of the costs, which have the size of the picture. `half` is its luma.
void measure_intra(PlaneView half, int row, CostRow::Costs& costs);

/// The transformed differences that a field's vectors leave, and the vectors' bits as the field counts them.
void measure_predicted(const MotionField& field, PlaneView half, const SubpelPlanes& reference, int row,
                       CostRow::PredictedCosts& costs);

/// Two pictures, as the one between them is predicted from each.
struct BothReferences {
    const SubpelPlanes& first;
    const CostRow::PredictedCosts& forward;
    const SubpelPlanes& last;
    const CostRow::PredictedCosts& backward;
};

/// From the mean of what the two vectors predict.
void measure_both(PlaneView half, const BothReferences& references, int row, CostRow::Costs& costs);

} // namespace tandem
