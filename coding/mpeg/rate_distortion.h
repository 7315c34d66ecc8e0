// SPDX-License-Identifier: BSD-2-Clause
// The mode of a macroblock by what it costs: coded in each that promises something, by the least squared error +
// lambda * bits (Sullivan and Wiegand, "Rate-distortion optimization for video compression", IEEE Signal Processing
// Magazine, 1998).
#pragma once

#include <span>

#include "bitstream/mpeg/macroblock_writer.h"
#include "coding/mpeg/decide.h"
#include "coding/mpeg/residual.h"

namespace tandem {

/// What the trials weigh, for one picture.
struct RateDistortionInput {
    const ResidualInput* residual = nullptr; ///< The quantisers' lambda_q6 is that of the choice too.
    std::span<const ModeList> modes;         ///< By macroblock, as decide_slice() lists them.
    Codec codec = Codec::mpeg2;
    int intra_threshold = 0;          ///< Squared error that is added to intra's.
    std::span<TriedModes> tried = {}; ///< By macroblock: gets the trials; empty: nobody asks.
};

/// Like code_residual(), but for flags and vectors: those of the listed mode that turns out cheapest, or of one without
/// a residual, which may be skipped. Bits are those that the macroblock takes in the slice by the picture's f_code.
void code_by_rate_distortion(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture,
                             Frame& reconstruction);

} // namespace tandem
