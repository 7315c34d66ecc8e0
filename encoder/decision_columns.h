// SPDX-License-Identifier: BSD-2-Clause
// What an encoder can say of a picture's decisions, as columns of numbers whose meaning each codec gives.
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem {

/// What a column has numbers for.
enum class DecisionsOf : std::uint8_t { picture, macroblock };

/// A column of the record of a picture. The record is its columns one after the other, without gaps, numbers with the
/// least significant byte first: for a picture, or for each macroblock in raster order, `values` numbers; where
/// `places` is not 1, so many times.
struct DecisionColumn {
    std::string_view name;
    std::string_view type; ///< In NumPy's notation: "u1", "<u2", "<u4", "<u8", "<i2", "<i8", "<f4", "<f8".
    DecisionsOf of = DecisionsOf::picture;
    int values = 1;
    std::string_view says; ///< Meaning and unit.
    int places = 1;
};

} // namespace tandem
