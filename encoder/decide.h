// SPDX-License-Identifier: BSD-2-Clause
// A mode for each macroblock: intra, and which vectors.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "bitstream/picture_code.h"
#include "encoder/reference.h"
#include "encoder/settings.h"
#include "encoder/vector_choice.h"

namespace tandem {

/// What a decision may look at, for one picture.
struct DecideInput {
    Decision decision = Decision::cost;
    PlaneView source; ///< Luma, coded size.
    const References* references = nullptr;
    PictureType type = PictureType::intra;
    std::array<std::array<int, 2>, 2> f_code{}; ///< [forward, backward][x, y]: what vectors are assumed to cost.
    std::uint32_t lambda_q8 = 0;                ///< SAD per bit times 256.
    int intra_threshold = 0;
    int intra_refresh = 132;
    std::span<const ChosenVector> forward, backward; ///< By macroblock; empty where there is no such reference.
    std::span<const std::uint8_t> coded_since_intra; ///< By macroblock.
};

/// Fills flags (without mb_skipped), forward and backward of the slice's macroblocks. Thread-safe for disjoint slices.
void decide_slice(const DecideInput& input, SliceExtent slice, PictureCode& picture);

} // namespace tandem
