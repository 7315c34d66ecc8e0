// SPDX-License-Identifier: BSD-2-Clause
// How many bits the elements of a picture's syntax take: where a stream's bytes go.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tandem {

/// What of a macroblock is counted apart, in the order of the syntax (13818-2 clause 6.2.5).
enum class SyntaxElement : std::uint8_t {
    address,    ///< macroblock_address_increment with its escapes, which tell of the skipped ones before it.
    type,       ///< macroblock_type.
    quantiser,  ///< quantiser_scale_code.
    vectors,    ///< motion_vectors() of both directions.
    pattern,    ///< coded_block_pattern.
    dc,         ///< dct_dc_size and dct_dc_differential: of intra macroblocks alone.
    coefficient ///< All other coefficients, and end_of_block.
};
inline constexpr std::size_t syntax_elements = 7;

/// Of one macroblock. A skipped one has none: they are in the address of the next.
struct MacroblockBits {
    std::array<std::uint16_t, syntax_elements> of{};
    std::uint16_t& at(SyntaxElement element) { return of[static_cast<std::size_t>(element)]; }
    bool operator==(const MacroblockBits&) const = default;
};

/// Of the slices of one picture. They may be counted side by side.
struct ElementBits {
    std::vector<MacroblockBits> macroblocks; ///< By macroblock in raster order.
    std::vector<std::uint8_t> slice_headers; ///< By slice, from its start code to its first macroblock.
    std::vector<std::uint8_t> alignment;     ///< By slice: zero bits at its end.
};

} // namespace tandem
