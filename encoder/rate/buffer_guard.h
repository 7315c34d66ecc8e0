// SPDX-License-Identifier: BSD-2-Clause
// Keeps quantisers within what a decoder's buffer can bear.
#pragma once

#include <optional>

#include "encoder/picture_coder.h"
#include "encoder/rate/pace/pace.h"
#include "encoder/rate/vbv.h"

namespace tandem {

/// The rows of macroblocks from `first` on, whose quantisers are to be `times` as large.
struct CoarserRows {
    std::size_t first = 0;
    double times = 1;
};

/// The fewest rows from below that make a picture of a type small enough where they become a little coarser; nothing
/// where that takes more than the lower half of it or much coarser ones: then the whole picture is better coded again.
std::optional<CoarserRows> coarser_rows(PictureType type, const PictureBits& bits, double limit);

/// Knows the sizes of all pictures before the one at hand: its feedback has no delay.
class BufferGuard {
  public:
    /// `spends_all`: what cannot arrive while the buffer is full is lacking for ever, since the rate that is asked for
    /// is that at which bits arrive.
    BufferGuard(const VbvDescription& description, double largest_quantiser, bool spends_all);

    /// The quantiser of P pictures nearest to `quantiser` with which the picture at hand and those that are foreseen
    /// behind it do not take what has not come, and it leaves room for what arrives, where it does so without a pause
    /// or all is to be spent.
    double bounded(const ExpectedPicture& picture, double quantiser, const PaceView& view) const;
    /// The bits that the picture at hand may take, so that enough is left to the next.
    double limit(const PaceView& view) const;
    /// A coarser quantiser of its own for a picture of so many bits, which are beyond the limit.
    double coarser(PictureType type, double quantiser, double bits, double limit) const;
    /// False where the picture, stuffing included, was not there in time.
    bool take(std::int64_t bits) { return vbv_.take(bits); }
    const Vbv& vbv() const { return vbv_; }

  private:
    /// The pictures behind the one at hand: those that the lookahead knows, and behind them, where these are not the
    /// video's last, pictures like the last ones up to the next I picture.
    std::vector<ExpectedPicture> foreseen(const PaceView& view) const;
    /// Bits that have to be there for the next picture, so that it and those behind it can be coded at the coarsest.
    double needed_behind(const PaceView& view) const;
    bool holds(const ExpectedPicture& picture, double quantiser, const std::vector<ExpectedPicture>& next,
               const PaceView& view) const;

    Vbv vbv_;
    double largest_;
    double per_picture_; ///< Bits.
    bool spends_all_;
};

} // namespace tandem
