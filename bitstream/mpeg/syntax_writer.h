// SPDX-License-Identifier: BSD-2-Clause
// Writes a PictureCode in the syntax of a standard. Writers hold no state: every call is a function of its arguments.
#pragma once

#include <memory>

#include "bitstream/bit_writer.h"
#include "bitstream/mpeg/picture_code.h"

namespace tandem {

class SyntaxWriter {
  public:
    virtual ~SyntaxWriter() = default;
    /// sequence_header() and its extensions.
    virtual void write_sequence(BitWriter& out, const SequenceCode& sequence) const = 0;
    virtual void write_group(BitWriter& out, const GroupCode& group) const = 0;
    /// picture_header() and its extension; not the slices.
    virtual void write_picture_header(BitWriter& out, const PictureCode& picture) const = 0;
    /// slice() number `slice` of the picture, from its start code to its alignment. Thread-safe on one picture.
    virtual void write_slice(BitWriter& out, const SequenceCode& sequence, const PictureCode& picture,
                             int slice) const = 0;
    virtual void write_sequence_end(BitWriter& out) const = 0;
};

std::unique_ptr<SyntaxWriter> make_mpeg1_writer(); ///< ISO/IEC 11172-2.
std::unique_ptr<SyntaxWriter> make_mpeg2_writer(); ///< ISO/IEC 13818-2, Main Profile, progressive frame pictures.

} // namespace tandem
