// SPDX-License-Identifier: BSD-2-Clause
// The modes of a slice's macroblocks by what they cost together: each is coded in every mode that promises something,
// and what has the least sum of squared errors + lambda * bits is taken (Sullivan and Wiegand, "Rate-distortion
// optimization for video compression", IEEE Signal Processing Magazine, 1998), by dynamic programming along the slice
// (Viterbi, "Error bounds for convolutional codes and an asymptotically optimum decoding algorithm", IEEE Transactions
// on Information Theory, 1967).
#pragma once

#include <span>

#include "coding/mpeg/decide.h"
#include "coding/mpeg/residual.h"
#include "video/codec.h"

namespace tandem {

/// What the trials weigh, for one picture.
struct RateDistortionInput {
    const ResidualInput* residual = nullptr; ///< The quantisers' lambda_q6 is that of the choice too.
    std::span<const ModeList> modes;         ///< By macroblock, as decide_slice() lists them.
    Codec codec = Codec::mpeg2;
    int intra_threshold = 0;          ///< Squared error that is added to intra's.
    std::span<TriedModes> tried = {}; ///< By macroblock: gets the trials; empty: nobody asks.
};

/// Like code_residual(), but for flags and vectors, which are chosen for all macroblocks of the slice together. A
/// macroblock may have each of its listed modes, the first of these without a residual, in a P picture nothing at all,
/// and the modes of the macroblock before without a residual, by which it may be skipped. Bits are those that it takes
/// in the slice by the picture's f_code; most_ways of the ways to code the slice so far are followed.
void code_by_rate_distortion(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture,
                             Frame& reconstruction);

} // namespace tandem
