// SPDX-License-Identifier: BSD-2-Clause
// Variable-length codes, and the rows of the tables that hold them.
#pragma once

#include <cstdint>

namespace tandem {

struct VlcCode {
    std::uint16_t bits = 0;
    std::uint8_t length = 0; ///< 1..16; 0: there is no code.
    bool operator==(const VlcCode&) const = default;
};

/// A code from the way the standards print it: binary digits, with spaces between groups of four.
constexpr VlcCode vlc(const char* text) {
    VlcCode code;
    for (; *text != '\0'; ++text) {
        if (*text == ' ') continue;
        code.bits = static_cast<std::uint16_t>(code.bits * 2 + (*text - '0'));
        ++code.length;
    }
    return code;
}

/// A row of a table of plain values.
struct VlcRow {
    int value;
    VlcCode code;
};

/// A row of tables B-2 to B-4. `flags` are MacroblockFlag bits.
struct MacroblockTypeRow {
    std::uint8_t flags;
    bool pattern; ///< macroblock_pattern: coded_block_pattern follows.
    bool quant;   ///< macroblock_quant: quantiser_scale_code follows.
    VlcCode code;
};

/// A row of tables B-14 and B-15. The code is without its last bit, the sign: 0 for a positive level.
struct RunLevelRow {
    std::uint8_t run;
    std::uint8_t level;
    VlcCode code;
};

} // namespace tandem
