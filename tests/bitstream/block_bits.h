// SPDX-License-Identifier: BSD-2-Clause
// Bits of what code_length.h does not count whole: the tests' own sums over the tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <span>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/vlc_tables.h"

namespace tandem::test {

/// Of one run and level with its sign, or of its escape, as the encoder's trellis looks it up.
inline int coefficient_bits(CoefficientTable table, int run, int level, bool mpeg1) {
    const int magnitude = std::abs(level);
    if (magnitude >= code_length_tables::level_count) return code_length_tables::escape_bits(magnitude, mpeg1);
    const auto& lengths = code_length_tables::coefficient[table == CoefficientTable::b15][mpeg1];
    return lengths[static_cast<std::size_t>(run)][static_cast<std::size_t>(magnitude)];
}

/// Of a block's coefficients with end_of_block: `nonzero` and `levels` (64, in scan order) as in MpegPicture. Intra:
/// without its DC.
inline int block_bits(std::uint64_t nonzero, const std::int16_t* levels, CoefficientTable table, bool intra,
                      bool mpeg1) {
    int bits = table == CoefficientTable::b15 ? end_of_block_bits_b15 : end_of_block_bits_b14;
    // Table B-14: "1s" for run 0, level 1 where there can be no end_of_block.
    if (!intra && (nonzero & 1) != 0 && std::abs(levels[0]) == 1) bits -= 1;
    for (int i = intra ? 1 : 0, next = i; i < 64; ++i) {
        if ((nonzero >> i & 1) == 0) continue;
        bits += coefficient_bits(table, i - next, levels[i], mpeg1);
        next = i + 1;
    }
    return bits;
}

inline int length_of(std::span<const VlcRow> table, int value) {
    return std::ranges::find(table, value, &VlcRow::value)->code.length;
}

/// Of dct_dc_size and dct_dc_differential (tables B-12, B-13); difference -2047..2047.
inline int dc_bits(int difference, bool chroma) {
    const auto size = static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(difference))));
    return size + (chroma ? length_of(table_b13, size) : length_of(table_b12, size));
}

/// Of coded_block_pattern (table B-9), 1..63.
inline int coded_block_pattern_bits(int pattern) { return length_of(table_b9, pattern); }

} // namespace tandem::test
