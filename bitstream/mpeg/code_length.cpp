// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/code_length.h"

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>
#include <string>

#include "bitstream/mpeg/vlc_tables.h"

namespace tandem {

namespace code_length_tables {

namespace {

using CoefficientLengths = std::array<std::array<std::uint8_t, level_count>, 64>;

constexpr CoefficientLengths make_coefficient(std::span<const RunLevelRow> table, bool mpeg1_escape) {
    CoefficientLengths lengths{};
    for (auto& of_run : lengths) {
        of_run[0] = 255;
        for (int level = 1; level < level_count; ++level) {
            of_run[static_cast<std::size_t>(level)] = static_cast<std::uint8_t>(escape_bits(level, mpeg1_escape));
        }
    }
    for (const RunLevelRow& row : table)
        lengths[row.run][row.level] = static_cast<std::uint8_t>(row.code.length + 1);
    return lengths;
}

constexpr std::array<std::uint8_t, 17> make_motion_code() {
    std::array<std::uint8_t, 17> lengths{};
    for (const VlcRow& row : table_b10)
        lengths[static_cast<std::size_t>(row.value < 0 ? -row.value : row.value)] = row.code.length;
    return lengths;
}

constexpr std::array<std::uint8_t, 32 * 511> make_motion_component() {
    std::array<std::uint8_t, 32 * 511> lengths{};
    const std::array<std::uint8_t, 17> codes = make_motion_code();
    std::size_t at = 0;
    for (int residual_bits = 0; residual_bits < 9; ++residual_bits) {
        const int range = 32 << residual_bits;
        for (int i = 0; i < range; ++i) {
            const int magnitude = i < range / 2 ? i : range - i;
            const int code = (magnitude - 1 + (1 << residual_bits)) >> residual_bits; // 0 where nothing differs.
            const int bits = codes[static_cast<std::size_t>(code)] + (code != 0 ? residual_bits : 0);
            lengths[at++] = static_cast<std::uint8_t>(bits);
        }
    }
    return lengths;
}

constexpr void add_types(std::array<std::uint8_t, 48>& lengths, PictureType type,
                         std::span<const MacroblockTypeRow> table) {
    for (const MacroblockTypeRow& row : table) {
        if (row.quant) continue;
        const auto index = static_cast<std::size_t>((static_cast<int>(type) - 1) * 16 + row.flags * 2);
        if (row.pattern || row.flags == mb_intra) lengths[index + 1] = row.code.length;
        if (!row.pattern) lengths[index] = row.code.length;
    }
}

constexpr std::array<std::uint8_t, 48> make_macroblock_type() {
    std::array<std::uint8_t, 48> lengths{};
    add_types(lengths, PictureType::intra, table_b2);
    add_types(lengths, PictureType::predicted, table_b3);
    add_types(lengths, PictureType::bidirectional, table_b4);
    return lengths;
}

constexpr std::array<std::uint8_t, 64> make_coded_block_pattern() {
    std::array<std::uint8_t, 64> lengths{};
    for (const VlcRow& row : table_b9)
        lengths[static_cast<std::size_t>(row.value)] = row.value != 0 ? row.code.length : std::uint8_t{0};
    return lengths;
}

} // namespace

constinit const std::array<std::array<CoefficientLengths, 2>, 2> coefficient = {
    {{make_coefficient(table_b14, false), make_coefficient(table_b14, true)},
     {make_coefficient(table_b15, false), make_coefficient(table_b15, true)}}};
constinit const std::array<std::uint8_t, 17> motion_code = make_motion_code();
constinit const std::array<std::uint8_t, 32 * 511> motion_component = make_motion_component();
constinit const std::array<std::uint8_t, 48> macroblock_type = make_macroblock_type();
constinit const std::array<std::uint8_t, 64> coded_block_pattern = make_coded_block_pattern();

} // namespace code_length_tables

int f_code_for(int half_pels) {
    if (half_pels < -4096 || half_pels > 4095) {
        throw std::invalid_argument("no f_code holds a vector component of " + std::to_string(half_pels) +
                                    " half-pels");
    }
    const auto magnitude = static_cast<unsigned>(half_pels < 0 ? -half_pels - 1 : half_pels);
    return std::max(1, static_cast<int>(std::bit_width(magnitude)) - 3);
}

} // namespace tandem
