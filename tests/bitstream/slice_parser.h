// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "tests/bitstream/stream_parser.h"

namespace tandem::test {

/// A slice from behind its start code to its alignment, into `picture`, whose arrays have their size.
/// `vertical_position` is the start code's.
void parse_slice(BitReader& reader, const MpegSequence& sequence, bool mpeg2, int vertical_position,
                 ParsedPicture& picture);

} // namespace tandem::test
