// SPDX-License-Identifier: BSD-2-Clause
// Who decides how good each picture is to be.
#pragma once

#include <cstdint>
#include <optional>

#include "coding/quality.h"
#include "encoder/picture_order.h"
#include "encoder/vbv.h"

namespace tandem {

/// What is known of a picture before it is coded, summed over its macroblocks, in units of absolute differences of
/// luma.
struct PictureCosts {
    std::uint64_t intra = 0; ///< Of samples from their macroblock's mean.
    std::uint64_t inter = 0; ///< Of intra and the best vector of its fields, the lesser by macroblock.
};

/// Called in coding order: plan(), accept() until it has nothing to say, coded(), for each picture. plan() of a picture
/// may be called before coded() of as many pictures before it as delay() says, and knows nothing of them.
class RateControl {
  public:
    virtual ~RateControl() = default;
    virtual Quality plan(const PlannedPicture& picture, const PictureCosts& costs) = 0;
    /// A coarser quality where the picture, so many bits long, has to be coded again.
    virtual std::optional<Quality> accept(const PlannedPicture& picture, const Quality& quality,
                                          std::uint64_t bits) = 0;
    virtual void coded(const PlannedPicture& picture, const Quality& quality, std::uint64_t bits) = 0;
    virtual bool wants_costs() const = 0;
    virtual int delay() const = 0;
    /// The buffer before the next picture, where the stream is to say when pictures are due and to be stuffed.
    virtual const Vbv* constant_buffer() const { return nullptr; }
    /// Pictures so far that were not in the buffer at their time.
    virtual std::int64_t underflows() const { return 0; }
};

} // namespace tandem
