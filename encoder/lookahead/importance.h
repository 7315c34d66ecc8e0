// SPDX-License-Identifier: BSD-2-Clause
// How much of each macroblock the pictures ahead are predicted from, and how much finer it is coded for that.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "encoder/lookahead/cost_table.h"
#include "video/picture_type.h"

namespace tandem {

/// Of one picture, by macroblock in raster order.
struct Importance {
    /// What a picture's quantiser is to be multiplied by, in (0, 1]; 1: nothing is predicted from it.
    std::vector<float> factor;
    /// The cost of the cheapest prediction, in the units of CostRow: what is left to code.
    std::vector<float> residual;
};
using ImportancePtr = std::shared_ptr<const Importance>;

/// Of the table's picture `wanted`. `types` are those of all its pictures; the first one is an anchor.
///
/// What is coded once and kept costs nothing again. A macroblock of intra cost a whose cheapest prediction costs c has
/// the share 1 - c / a of its information from its reference, and with it the same share of what others have from it:
///     amount = (a + carried) * (1 - c / a),
/// which is carried to the reference's macroblocks that the vector points to, by the area that each has of the block
/// (half to each reference where there are two). From the last picture in coding order to the first this sums up in
/// `carried` what a macroblock is worth to all pictures ahead, in units of cost (Garrett-Glaser, "A novel macroblock-tree
/// algorithm for high-performance optimization of dependent video coding in H.264/AVC", 2009). Distortion there counts
/// 1 + carried / a times, so by least squared error + lambda * bits its quantiser is finer:
///     factor = (1 + carried / a)^-strength.
/// An exponent of 1/2 would hold where all distortion of a reference came through to what is predicted from it.
Importance importance_of(const CostTable& table, std::span<const PictureType> types, int wanted, double quantiser,
                         double strength);

/// x^exponent by additions and multiplications alone, so that every machine has the same; x at least 1, exponent in
/// -1..0. To about 1e-6.
double falling_power(double x, double exponent);

} // namespace tandem
