// SPDX-License-Identifier: BSD-2-Clause
// How the bits of one and the same picture fall with its quantiser.
#pragma once

#include "encoder/rate/size_model.h"

namespace tandem {

/// A picture that was coded once. Its bits fall as 1 / quantiser^exponent while few samples have levels. Where nearly
/// all have, as of noise and at fine quantisers, each doubling of the quantiser saves a number of bits a sample, so
/// that they fall as its logarithm does; both laws meet where their slopes do.
class BitsByQuantiser {
  public:
    /// `law`: size_law(); the picture took `bits` at `quantiser`. None there: none at any.
    BitsByQuantiser(PictureType law, int macroblocks, double bits, double quantiser);
    double bits(double quantiser) const;
    /// At quantiser 1, were the first law all: how complex the picture is.
    double size() const { return size_; }
    /// By what power of the quantiser bits fall where there are so many.
    double exponent(double bits) const;

  private:
    double exponent_, most_by_power_, size_;
};

} // namespace tandem
