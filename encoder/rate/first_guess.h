// SPDX-License-Identifier: BSD-2-Clause
// What quantiser keeps a bit rate, before anything has been coded.
#pragma once

#include <array>
#include <span>

#include "encoder/lookahead/prospect.h"

namespace tandem {

/// A guess of usual video: content whose detail is finer than pictures of half the size show, as noise, gets a third of
/// its quantiser or less.
struct FirstGuess {
    double bits_per_picture = 0;
    std::array<double, 3> type_factors{1, 1, 1}; ///< The quantiser of I, P and B pictures beside that of P pictures.
    double least = 1, largest = 31;              ///< Of what comes out.

    /// Of P pictures, at which pictures of so many macroblocks take this rate on average.
    double quantiser(std::span<const ForeseenPicture> pictures, int macroblocks) const;
};

} // namespace tandem
