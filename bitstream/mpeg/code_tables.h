// SPDX-License-Identifier: BSD-2-Clause
// The tables of vlc_tables.h arranged by what is looked up: one load says code and length.
#pragma once

#include <array>
#include <cstdint>

#include "bitstream/mpeg/mpeg_picture.h"
#include "bitstream/mpeg/vlc.h"

namespace tandem {

/// Codes of run/level with sign, or with the whole escape where the table has no code: (code << 8) | length.
/// Level 0 has the entry 0. Levels beyond the table are escapes that the writer spells out.
struct CoefficientCodes {
    static constexpr int level_limit = 64; ///< Levels -64..63 have an entry.
    std::array<std::uint32_t, 64 * 2 * level_limit> entries;
    std::uint32_t end_of_block;

    static constexpr bool holds(int level) { return static_cast<unsigned>(level + level_limit) < 2 * level_limit; }
    std::uint32_t at(int run, int level) const {
        return entries[static_cast<std::size_t>(run * (2 * level_limit) + level + level_limit)];
    }
};

extern const CoefficientCodes mpeg1_coefficient_codes; ///< Table B-14 with escapes of 11172-2.
extern const CoefficientCodes mpeg2_b14_coefficient_codes;
extern const CoefficientCodes mpeg2_b15_coefficient_codes;

/// Tables B-2 to B-4 by picture type, flags (0..7), pattern and quant.
struct MacroblockTypeCodes {
    std::array<VlcCode, 3 * 8 * 4> codes{};
    static constexpr std::size_t index(PictureType type, int flags, bool pattern, bool quant) {
        return static_cast<std::size_t>((((static_cast<int>(type) - 1) * 8 + flags) * 2 + pattern) * 2 + quant);
    }
    const VlcCode& at(PictureType type, int flags, bool pattern, bool quant) const {
        return codes[index(type, flags, pattern, quant)];
    }
};

extern const MacroblockTypeCodes macroblock_type_codes;
extern const std::array<VlcCode, 34> address_increment_codes;   ///< Table B-1 by macroblock_address_increment, 1..33.
extern const std::array<VlcCode, 64> coded_block_pattern_codes; ///< Table B-9 by coded_block_pattern.
extern const std::array<VlcCode, 33> motion_codes;              ///< Table B-10 by motion_code + 16.
extern const std::array<std::array<VlcCode, 12>, 2> dc_size_codes; ///< [0] table B-12, [1] table B-13, by size.

} // namespace tandem
