// SPDX-License-Identifier: BSD-2-Clause
// Keeps quantisers within what a decoder's buffer can bear.
#pragma once

#include <optional>

#include "encoder/rate/pace.h"
#include "encoder/vbv.h"

namespace tandem {

/// Knows the sizes of all pictures before the one at hand: its feedback has no delay.
class BufferGuard {
  public:
    BufferGuard(const VbvDescription& description, double least_quantiser, double largest_quantiser);

    /// The quantiser of P pictures nearest to `quantiser` with which the picture at hand, of this type and cost, and
    /// those that are foreseen behind it neither take what has not come nor, at a constant rate, leave too much.
    double bounded(PictureType type, double cost, double quantiser, const PaceView& view) const;
    /// A coarser quantiser of its own for a picture of so many bits that leaves too little to the next; nothing where
    /// it may stay or is as coarse as can be.
    std::optional<double> coarser(PictureType type, double quantiser, std::int64_t bits, const PaceView& view) const;
    /// False where the picture, stuffing included, was not there in time.
    bool take(std::int64_t bits) { return vbv_.take(bits); }
    const Vbv& vbv() const { return vbv_; }

  private:
    /// The types of the pictures behind the one at hand, to the next I picture.
    std::vector<PictureType> foreseen(const PaceView& view) const;
    /// Bits that have to be there for the next picture, so that it and those behind it can be coded at the coarsest.
    double needed_behind(const PaceView& view) const;
    bool holds(PictureType type, double cost, double quantiser, const std::vector<PictureType>& next,
               const PaceView& view) const;
    double bits(PictureType type, double cost, double quantiser, const PaceView& view) const;

    Vbv vbv_;
    double least_, largest_;
    double per_picture_; ///< Bits.
};

} // namespace tandem
