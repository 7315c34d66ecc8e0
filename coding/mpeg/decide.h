// SPDX-License-Identifier: BSD-2-Clause
// A mode for each macroblock: intra, and which vectors.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/decision.h"
#include "coding/mpeg/mode.h"
#include "coding/mpeg/reference.h"
#include "coding/mpeg/vectors/vector_choice.h"

namespace tandem {

/// What a decision may look at, for one picture.
struct DecideInput {
    Decision decision = Decision::cost;
    PlaneView source; ///< Luma, coded size.
    const References* references = nullptr;
    PictureType type = PictureType::intra;
    std::array<std::array<int, 2>, 2> f_code{}; ///< [forward, backward][x, y]: what vectors are assumed to cost.
    std::uint32_t lambda_q8 = 0;                ///< SAD per bit times 256.
    std::span<const std::uint32_t> lambdas_q8;  ///< The same by macroblock; empty: lambda_q8 everywhere.
    int intra_threshold = 0;
    int intra_refresh = 132;
    std::span<const ChosenVector> forward, backward; ///< By macroblock; empty where there is no such reference.
    std::span<const VectorCandidates> forward_candidates, backward_candidates; ///< The same; for Decision::rd alone.
    std::span<const std::uint8_t> coded_since_intra; ///< By macroblock; empty: none was coded before.
};

/// Fills flags (without mb_skipped), forward and backward of the slice's macroblocks, and their entries of `lists`
/// where it is not empty: the mode they got and, by Decision::rd, others that may turn out cheaper when coded. Entries
/// of `tried` get what the mode was chosen among, by Decision::rd nothing yet. Thread-safe for disjoint slices.
void decide_slice(const DecideInput& input, SliceExtent slice, MpegPicture& picture, std::span<ModeList> lists = {},
                  std::span<TriedModes> tried = {});

} // namespace tandem
