// SPDX-License-Identifier: BSD-2-Clause
// What is the same for every picture of a stream between samples and levels.
#pragma once

#include <cstdint>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/decision.h"
#include "video/codec.h"

namespace tandem {

/// A stream's coding tools. Ranges and meanings are those of Settings.
struct MpegTools {
    Codec codec = Codec::mpeg2;
    int columns = 1, rows = 1; ///< Macroblocks of a picture.
    int slices = 0;            ///< Of a picture; 0: one a row of macroblocks.
    QuantiserMatrix intra_matrix{}, non_intra_matrix{};
    bool non_linear_quantiser = false, alternate_scan = false;
    bool intra_vlc = false; ///< The table by which levels are chosen; they may be coded by the other.
    int intra_dc_precision = 8;
    bool trellis = true;
    int deadzone_intra = 5, deadzone_inter = 32;
    Decision decision = Decision::cost;
    int intra_threshold = 0, intra_refresh = 132;
    std::uint32_t null_threshold = 0, null_gain = 0; ///< Of the choice of vectors: SADs of luma.
};

} // namespace tandem
