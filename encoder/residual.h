// SPDX-License-Identifier: BSD-2-Clause
// Predict, transform, quantise, rebuild: from modes to levels and the reconstruction.
#pragma once

#include <cstdint>
#include <vector>

#include "bitstream/picture_code.h"
#include "encoder/reference.h"
#include "encoder/transform.h"
#include "video/frame.h"

namespace tandem {

/// The quantisers of one quantiser_scale_code.
struct Quantisers {
    int code = 0;
    Quantiser intra, inter;
};

/// What the residual of one picture is coded with.
struct ResidualInput {
    const Frame* source = nullptr; ///< Coded size.
    const References* references = nullptr;
    /// The picture's, and then, where not every coefficient has a level, coarser ones for macroblocks that need them.
    std::vector<Quantisers> quantisers;
    bool trellis = false;        ///< Levels by trellis_quantise(); the quantisers then round as trellis.h wants.
    std::uint32_t lambda_q6 = 0; ///< For the trellis: squared error per bit times 64.
};

/// For the macroblocks of a slice whose flags and vectors are decided: fills pattern, levels and nonzero, rewrites the
/// flags (mb_skipped; "no MC" in P pictures), sets quantiser_scale_code, and writes every sample of the slice's
/// macroblocks into `reconstruction`. Thread-safe for disjoint slices.
void code_residual(const ResidualInput& input, SliceExtent slice, PictureCode& picture, Frame& reconstruction);

} // namespace tandem
