// SPDX-License-Identifier: BSD-2-Clause
// Patterns of offsets in pels, tried about the best vector so far. A pattern is data.
#pragma once

#include <array>
#include <span>

#include "me/search/block_search.h"

namespace tandem {

inline constexpr std::array<Offset, 8> square{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
inline constexpr std::array<Offset, 4> small_diamond{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
/// Zhu and Ma, 2000.
inline constexpr std::array<Offset, 8> large_diamond{
    {{0, -2}, {-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}, {0, 2}}};
/// Zhu, Lin and Chau, 2002.
inline constexpr std::array<Offset, 6> hexagon{{{-1, -2}, {1, -2}, {-2, 0}, {2, 0}, {-1, 2}, {1, 2}}};
/// The outer ring of UMHexagonS (JVT-F017), used at multiples of its size.
inline constexpr std::array<Offset, 16> large_hexagon{{{0, -4},
                                                       {-2, -3},
                                                       {2, -3},
                                                       {-4, -2},
                                                       {4, -2},
                                                       {-4, -1},
                                                       {4, -1},
                                                       {-4, 0},
                                                       {4, 0},
                                                       {-4, 1},
                                                       {4, 1},
                                                       {-4, 2},
                                                       {4, 2},
                                                       {-2, 3},
                                                       {2, 3},
                                                       {0, 4}}};

/// Tries the pattern about the best vector; what is better than that is the next best. True when something was.
inline bool try_pattern(BlockSearch& search, std::span<const Offset> pattern, int scale_x = 1, int scale_y = 1) {
    const Mv centre = search.list().best().mv;
    search.propose_all(search.best_x(), search.best_y(), pattern, scale_x, scale_y);
    return search.list().best().mv != centre;
}

} // namespace tandem
