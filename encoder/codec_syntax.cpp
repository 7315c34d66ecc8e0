// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/codec_syntax.h"

#include <array>

namespace tandem {

namespace {

// Every level of MPEG-2 may carry vectors of 127 pels (13818-2 table 8-9); MPEG-1's f_code 7 says 511. A size has 12
// bits in MPEG-1, 14 in MPEG-2; a rate 18 (all ones: variable) and 30, a buffer 10 and 18.
constexpr std::array<CodecSyntax, 2> rows{{
    {Codec::mpeg1, 4095, 511, false, false, 0x3FFFE, 1023},
    {Codec::mpeg2, 16383, 127, true, true, 0x3FFFFFFF, 0x3FFFF},
}};

} // namespace

const CodecSyntax& codec_syntax(Codec codec) { return rows.at(static_cast<std::size_t>(codec)); }

} // namespace tandem
