// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks of a slice, one after the other: what the two standards share but for escapes.
#pragma once

#include <array>

#include "bitstream/bit_writer.h"
#include "bitstream/mpeg/element_bits.h"
#include "bitstream/mpeg/mpeg_picture.h"
#include "video/codec.h"

namespace tandem {

struct CoefficientCodes;

/// Writes macroblocks with the predictions that run through a slice. The picture stays the caller's and may change
/// ahead of what is written. A copy goes on from the same place: what a macroblock would cost, a copy can try.
class MacroblockWriter {
  public:
    /// At the start of a slice whose first macroblock is `first` and whose header says quantiser_scale_code.
    MacroblockWriter(const MpegPicture& picture, Codec codec, int first, int quantiser_scale_code);

    /// The slice's next macroblock: 13818-2 clause 6.2.5 (11172-2 clause 2.4.2.7), or nothing where it is skipped.
    /// std::invalid_argument for what the syntax cannot express of a macroblock; what slice() checks of a picture and
    /// of a slice's ends, who else writes must know to be so.
    void write(BitWriter& writer, int address);
    /// The same, and says what of it took how many bits.
    void write(BitWriter& writer, int address, MacroblockBits& bits);

  private:
    struct Bits;
    struct CountNothing;
    struct CountElements;
    using Burst = BitWriter::Burst;

    void skip(int address);
    template <class Count> void write_counted(BitWriter& writer, int address, Count& count);
    template <class Count> void macroblock(BitWriter& writer, int address, Count& count);
    void reset_dc() { dc_.fill(dc_reset_); }
    void reset_vectors() { vectors_ = {}; }
    template <class Count> [[gnu::always_inline]] inline bool macroblock_modes(Bits& bits, int address, Count& count);
    [[gnu::always_inline]] inline void motion_vectors(Burst& out, int address, int flags);
    [[gnu::always_inline]] inline void motion_component(Bits& bits, int eighths, int f_code, int& predictor,
                                                        int address);
    template <class Count> [[gnu::always_inline]] inline void intra_blocks(Burst& out, int address, Count& count);
    template <class Count>
    [[gnu::always_inline]] inline void non_intra_blocks(Burst& out, int address, int pattern, Count& count);
    [[gnu::always_inline]] inline void dc_coefficient(Burst& out, int dc, int component, int address);
    [[gnu::always_inline]] inline void coefficients(Burst& out, std::uint64_t nonzero, const std::int16_t* levels,
                                                    int next, const CoefficientCodes& codes, int address);
    Bits long_escape(int run, int level, int address) const;

    const MpegPicture& picture_;
    const bool mpeg1_;
    const CoefficientCodes& codes_;
    const CoefficientCodes& intra_codes_;
    const int dc_reset_;
    int quantiser_;
    int coded_before_; ///< previous_macroblock_address (clause 6.3.17).
    std::array<int, 3> dc_{};
    std::array<std::array<int, 2>, 2> vectors_{}; ///< [forward, backward][x, y], half-pels.
};

} // namespace tandem
