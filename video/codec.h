// SPDX-License-Identifier: BSD-2-Clause
// The codecs, and what the rooms below the encoder know of them.
#pragma once

namespace tandem {

enum class Codec {
    mpeg1, ///< ISO/IEC 11172-2.
    mpeg2, ///< ISO/IEC 13818-2, Main Profile (High Profile for 11 bits of intra DC), progressive.
};

} // namespace tandem
