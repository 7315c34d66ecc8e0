// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/bits_by_quantiser.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

// Of noise between quantisers 3 and 24, in I pictures of CIF: 1.6 to 2.5, where usual video begins to follow it.
constexpr double bits_of_a_sample = 1.9; ///< Saved where the quantiser becomes e times as coarse.
constexpr double samples_of_a_macroblock = 384;
/// Beyond what the longest codes can make of a picture, in its most_by_power_: a log by hand may say anything.
constexpr double most_bits = 60;

} // namespace

BitsByQuantiser::BitsByQuantiser(PictureType law, int macroblocks, double bits, double quantiser)
    : exponent_(SizeModel::exponent(law)),
      most_by_power_(bits_of_a_sample * samples_of_a_macroblock * macroblocks / exponent_) {
    const double dense = std::min(bits / most_by_power_, most_bits);
    const double by_power = dense <= 1 ? bits : most_by_power_ * std::exp(dense - 1);
    size_ = by_power * std::pow(quantiser, exponent_);
}

double BitsByQuantiser::bits(double quantiser) const {
    const double by_power = size_ / std::pow(quantiser, exponent_);
    return by_power <= most_by_power_ ? by_power : most_by_power_ * (1 + std::log(by_power / most_by_power_));
}

double BitsByQuantiser::exponent(double bits) const { return exponent_ * std::min(1.0, most_by_power_ / bits); }

} // namespace tandem
