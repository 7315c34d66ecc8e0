// SPDX-License-Identifier: BSD-2-Clause
// How finely each picture is coded.
#pragma once

#include <memory>
#include <optional>

#include "encoder/picture_coder.h"
#include "encoder/rate/vbv.h"
#include "encoder/settings.h"

namespace tandem {

/// Sees plans and costs before a picture is coded and its size after; all in coding order, from one thread.
class RateControl {
  public:
    virtual ~RateControl() = default;

    /// Whether plan() reads the costs.
    virtual bool wants_costs() const = 0;
    /// Of how many pictures behind the one at hand it wants the costs beforehand, where no lookahead foresees them.
    virtual int wants_foreseen() const { return 0; }
    /// After how many further plans the size of a picture is told at the latest: plan() of picture n has been told of
    /// pictures 0..n-1-delay() and of no other, whatever the threads. Negative: nobody needs to tell.
    virtual int delay() const = 0;

    /// Of P pictures: what the picture planned last would have had as one; before the first, what is likely. Nothing:
    /// that hangs on the pictures, none of which is known yet.
    virtual std::optional<double> likely_quantiser() const = 0;

    virtual Quality plan(const PlannedPicture& picture, const PictureCosts& costs) = 0;
    /// Nothing where the picture may go out with so many bits, else a coarser quality to code it again with, which may
    /// leave the rows above some row as they are. Asked where delay() is 0.
    virtual std::optional<Quality> accept(const PlannedPicture& picture, const Quality& quality,
                                          const PictureBits& bits) = 0;
    /// The picture went out with so many bits, and so many of stuffing behind it.
    virtual void coded(const PlannedPicture& picture, const Quality& quality, std::uint64_t bits,
                       std::uint64_t stuffing) = 0;

    /// The decoder's buffer before the picture that goes out next, where the stream says when pictures are due and is
    /// stuffed; null: neither.
    virtual const Vbv* constant_buffer() const { return nullptr; }
    /// Pictures so far that were not in the buffer at their time.
    virtual std::int64_t underflows() const { return 0; }
};

/// The finest and the coarsest quantiser that a macroblock may have, in the codec's unit.
struct QuantiserLimits {
    double least = 1, largest = 31;
};

/// The quantisers that a picture would have if all its macroblocks were alike.
struct EvenQuantisers {
    double of_p_pictures = 8; ///< If it were a P picture.
    double own = 8;           ///< By its type's factor.
};

/// The quality of a picture whose quantiser is spread over the macroblocks: by what they are worth to later pictures
/// (PlannedPicture::importance; finer where much is predicted from them, coarser where nothing is), by their texture
/// (PlannedPicture::adaptive), by both, or by neither.
Quality spread_quality(const PlannedPicture& picture, const EvenQuantisers& even, QuantiserLimits limits);

/// Settings::qp with its factors for I and B pictures.
std::unique_ptr<RateControl> make_constant_quantiser(const Settings& settings);

} // namespace tandem
