// SPDX-License-Identifier: BSD-2-Clause
// Letters for the legend of a drawing.
#pragma once

#include <array>
#include <string_view>

namespace tandem {

inline constexpr int glyph_width = 5, glyph_height = 7;

/// Rows from the top; # is a point of the letter.
using Glyph = std::array<std::string_view, glyph_height>;

/// Digits, small letters, '.', '/', ':' and the blank; anything else is a box.
const Glyph& glyph(char letter);

} // namespace tandem
