// SPDX-License-Identifier: BSD-2-Clause
// Writes a MpegPicture in the syntax of a standard. Writers hold no state: every call is a function of its arguments.
#pragma once

#include <memory>

#include "bitstream/bit_writer.h"
#include "bitstream/mpeg/element_bits.h"
#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

class MpegWriter {
  public:
    virtual ~MpegWriter() = default;
    /// sequence_header() and its extensions.
    virtual void write_sequence(BitWriter& out, const MpegSequence& sequence) const = 0;
    virtual void write_group(BitWriter& out, const MpegGroup& group) const = 0;
    /// picture_header() and its extension; not the slices.
    virtual void write_picture_header(BitWriter& out, const MpegPicture& picture) const = 0;
    /// slice() number `slice` of the picture, from its start code to its alignment. Thread-safe on one picture. `bits`,
    /// whose arrays have the picture's size, gets what it takes.
    void write_slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int slice) const {
        write_slice(out, sequence, picture, slice, nullptr);
    }
    virtual void write_slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int slice,
                             ElementBits* bits) const = 0;
    virtual void write_sequence_end(BitWriter& out) const = 0;
};

std::unique_ptr<MpegWriter> make_mpeg1_writer(); ///< ISO/IEC 11172-2.
std::unique_ptr<MpegWriter> make_mpeg2_writer(); ///< ISO/IEC 13818-2, Main Profile, progressive frame pictures.

} // namespace tandem
