// SPDX-License-Identifier: BSD-2-Clause
// The slice and what is in it, which 11172-2 and 13818-2 share but for escapes and the extension of tall pictures.
#pragma once

#include "bitstream/mpeg/macroblock_writer.h"

namespace tandem {

/// 13818-2 clause 6.2.4 (11172-2 clause 2.4.2.6): slice number `index` of the picture, start code to alignment.
/// std::invalid_argument for what the syntax cannot express; what was written of the slice then stays in `out`.
/// `bits` gets what the slice's elements take; null: nobody asks.
void slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int index, Codec codec,
           ElementBits* bits = nullptr);

} // namespace tandem
