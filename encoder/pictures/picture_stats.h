// SPDX-License-Identifier: BSD-2-Clause
// What is known of one coded picture.
#pragma once

#include <cstdint>
#include <string>

#include "encoder/pictures/picture_costs.h"
#include "video/picture_type.h"

namespace tandem {

/// Times are microseconds. Those of the coder's stages are of one thread: what several threads took is added up.
struct PictureStats {
    std::int64_t display_index = 0;
    std::int64_t coding_index = 0;
    PictureType type = PictureType::intra;
    int qp = 0;                       ///< The codec's whole quantiser nearest to `quantiser`.
    double quantiser = 0;             ///< The picture's mean, in the codec's unit.
    double even_quantiser = 0;        ///< What it would be if all macroblocks were alike.
    PictureCosts costs;               ///< 0 where nobody asked for them.
    std::uint64_t bytes = 0;          ///< With the headers before it and the stuffing behind it.
    std::uint64_t stuffing_bytes = 0; ///< Of these, what a constant rate has put behind it.
    int intra = 0, forward = 0, backward = 0, both = 0,
        skipped = 0;            ///< Macroblocks; the first four without the skipped ones.
    int zero_motion = 0;        ///< Of the coded, predicted ones: with zero vectors.
    double mean_mv = 0;         ///< Mean vector length in pels over predicted macroblocks' vectors.
    std::int64_t motion_us = 0; ///< In the estimators (beside the coding).
    std::int64_t wait_us = 0;   ///< The encoder waited for motion.
    std::int64_t refine_us = 0, decide_us = 0, residual_us = 0, entropy_us = 0;
    std::string backend; ///< Who searched; empty for I pictures.
};

} // namespace tandem
