// SPDX-License-Identifier: BSD-2-Clause
// The clauses above the slice that 11172-2 and 13818-2 share.
#pragma once

#include "bitstream/bit_writer.h"
#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

/// 13818-2 table 6-1; slices are 0x01 to 0xAF.
namespace start_codes {
inline constexpr std::uint8_t picture = 0x00;
inline constexpr std::uint8_t first_slice = 0x01;
inline constexpr std::uint8_t sequence_header = 0xB3;
inline constexpr std::uint8_t extension = 0xB5;
inline constexpr std::uint8_t sequence_end = 0xB7;
inline constexpr std::uint8_t group = 0xB8;
} // namespace start_codes

inline constexpr int rows_with_a_start_code = 175; ///< Slice start codes 0x01 to 0xAF.

/// A field of `bits` bits; std::invalid_argument, by name, where `value` is not in low..high.
void put_field(BitWriter& out, const char* name, std::int64_t value, std::int64_t low, std::int64_t high, int bits);

/// 13818-2 clause 6.2.2.1 (11172-2 clause 2.4.2.3). Sizes and rates: their low bits.
void sequence_header(BitWriter& out, const MpegSequence& sequence);
/// 13818-2 clause 6.2.2.6 (11172-2 clause 2.4.2.4).
void group_of_pictures_header(BitWriter& out, const MpegGroup& group);
/// 13818-2 clause 6.2.3 (11172-2 clause 2.4.2.5); the f_codes are those of 11172-2, or 7 in 13818-2.
void picture_header(BitWriter& out, const MpegPicture& picture, int forward_f_code, int backward_f_code);

} // namespace tandem
