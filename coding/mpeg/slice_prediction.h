// SPDX-License-Identifier: BSD-2-Clause
// How many bits a macroblock takes where it stands in its slice, without writing it.
#pragma once

#include <array>
#include <cstdint>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/mode.h"
#include "video/codec.h"

namespace tandem {

/// A macroblock coded in a mode, whatever stands before it.
struct CodedMacroblock {
    int address = 0;
    Mode mode;
    int pattern = 0;                  ///< coded_block_pattern; intra: 63.
    int code = 0;                     ///< quantiser_scale_code.
    int block_bits = 0;               ///< Of its blocks, but for the DCs of intra blocks.
    std::array<std::int16_t, 6> dc{}; ///< Intra: of the six blocks.
};

/// `coded` has the mode; levels, pattern and quantiser_scale_code are those that the picture has at the address.
CodedMacroblock coded_macroblock(const MpegPicture& picture, Codec codec, int address, const Mode& mode);

/// What runs through a slice from macroblock to macroblock: vector predictors (13818-2 clause 7.6.3.4), DC predictors
/// (clause 7.2.1), the quantiser, and the address before (clause 6.3.17). Bits are those that MacroblockWriter writes.
class SlicePrediction {
  public:
    /// At the start of a slice whose header says quantiser_scale_code. The picture stays the caller's; its type,
    /// f_codes and formats are read.
    SlicePrediction(const MpegPicture& picture, SliceExtent slice, int quantiser_scale_code);

    /// Of the slice's next macroblock. A skipped one has none: they are in the address of the next.
    int bits(const CodedMacroblock& coded) const;
    /// Goes on behind the macroblock.
    void follow(const CodedMacroblock& coded);
    /// The mode of the macroblock before; no flags at the start of the slice.
    const Mode& mode_before() const { return before_; }

  private:
    /// As they are written, with mb_skipped.
    int flags_of(const CodedMacroblock& coded) const;
    int vectors_bits(const CodedMacroblock& coded, int flags) const;
    int dc_bits(const CodedMacroblock& coded) const;
    void reset_dc();

    const MpegPicture* picture_;
    SliceExtent slice_;
    Mode before_;
    Mv forward_, backward_;
    std::array<int, 3> dc_{}; ///< Y, Cb, Cr.
    int quantiser_;
    int coded_before_; ///< Address of the last macroblock that was not skipped.
};

} // namespace tandem
