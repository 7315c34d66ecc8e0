// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/code_tables.h"

#include <span>

#include "bitstream/mpeg/vlc_tables.h"

namespace tandem {

namespace {

constexpr std::uint32_t entry(std::uint32_t bits, int length) {
    return (bits << 8) | static_cast<std::uint32_t>(length);
}

/// Run and level after the escape code. 13818-2 table B-16: 12 bits; 11172-2 table 2-B.5g: 8 bits to 127.
constexpr std::uint32_t escape_entry(int run, int level, int level_bits) {
    const auto level_mask = (1U << level_bits) - 1;
    const auto prefix = (static_cast<std::uint32_t>(coefficient_escape.bits) << 6) | static_cast<std::uint32_t>(run);
    return entry((prefix << level_bits) | (static_cast<std::uint32_t>(level) & level_mask),
                 coefficient_escape.length + 6 + level_bits);
}

constexpr CoefficientCodes make_coefficient_codes(std::span<const RunLevelRow> table, VlcCode end_of_block,
                                                  int escape_level_bits) {
    constexpr int limit = CoefficientCodes::level_limit;
    CoefficientCodes codes{};
    for (int run = 0; run < 64; ++run) {
        for (int level = -limit; level < limit; ++level) {
            if (level == 0) continue;
            codes.entries[static_cast<std::size_t>(run * 2 * limit + level + limit)] =
                escape_entry(run, level, escape_level_bits);
        }
    }
    for (const RunLevelRow& row : table) {
        const auto zero = static_cast<std::size_t>(row.run * 2 * limit + limit);
        codes.entries[zero + row.level] = entry(row.code.bits * 2U, row.code.length + 1);
        codes.entries[zero - row.level] = entry(row.code.bits * 2U + 1, row.code.length + 1);
    }
    codes.end_of_block = entry(end_of_block.bits, end_of_block.length);
    return codes;
}

constexpr void add_types(MacroblockTypeCodes& codes, PictureType type, std::span<const MacroblockTypeRow> table) {
    for (const MacroblockTypeRow& row : table) {
        codes.codes[MacroblockTypeCodes::index(type, row.flags, row.pattern, row.quant)] = row.code;
    }
}

constexpr MacroblockTypeCodes make_macroblock_type_codes() {
    MacroblockTypeCodes codes;
    add_types(codes, PictureType::intra, table_b2);
    add_types(codes, PictureType::predicted, table_b3);
    add_types(codes, PictureType::bidirectional, table_b4);
    return codes;
}

template <std::size_t size> constexpr std::array<VlcCode, size> by_value(std::span<const VlcRow> table, int offset) {
    std::array<VlcCode, size> codes{};
    for (const VlcRow& row : table)
        codes[static_cast<std::size_t>(row.value + offset)] = row.code;
    return codes;
}

} // namespace

constinit const CoefficientCodes mpeg1_coefficient_codes = make_coefficient_codes(table_b14, table_b14_end_of_block, 8);
constinit const CoefficientCodes mpeg2_b14_coefficient_codes =
    make_coefficient_codes(table_b14, table_b14_end_of_block, 12);
constinit const CoefficientCodes mpeg2_b15_coefficient_codes =
    make_coefficient_codes(table_b15, table_b15_end_of_block, 12);
constinit const MacroblockTypeCodes macroblock_type_codes = make_macroblock_type_codes();
constinit const std::array<VlcCode, 34> address_increment_codes = by_value<34>(table_b1, 0);
constinit const std::array<VlcCode, 64> coded_block_pattern_codes = by_value<64>(table_b9, 0);
constinit const std::array<VlcCode, 33> motion_codes = by_value<33>(table_b10, 16);
constinit const std::array<std::array<VlcCode, 12>, 2> dc_size_codes = {by_value<12>(table_b12, 0),
                                                                        by_value<12>(table_b13, 0)};

} // namespace tandem
