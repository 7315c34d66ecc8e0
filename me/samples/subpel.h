// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel refinement of candidates that an integer search found.
#pragma once

#include "me/motion_field.h"
#include "me/samples/chroma.h"
#include "me/samples/interpolation.h"
#include "me/search_params.h"

namespace tandem {

/// Replaces the candidates of block rows first_row..end_row-1 by refined ones: each candidate's distortion is measured
/// again at its own position on `reference`, then, halving the step from half of 1 / params.grid to 1 /
/// params.precision, the 8 positions around it are tried and the best kept. Results are distinct and in the order of
/// better(), but zero first where null_gain keeps it. Uses params' metric, lambda, boundary, predictor (hint may be
/// null); candidates whose position leaves what the boundary allows are not tried. `chroma` belongs to Planes::all:
/// null measures luma alone. The reference has planes of params.precision. For SADs of blocks of 16x16 that lie in the
/// picture as a whole, to bilinear half pels, it may have whole pels alone; std::invalid_argument for others.
/// Thread-safe for disjoint rows.
void refine_subpel(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                   const MotionField* hint, int first_row, int end_row, MotionField& field,
                   const ChromaPair* chroma = nullptr);

} // namespace tandem
