// SPDX-License-Identifier: BSD-2-Clause
// Patterns of offsets in pels, tried about the best vector so far, and the walks that try them. All is plain data,
// which the CPU's searches and a GPU's kernels read alike: a new walk is an entry here and a row in table.cpp.
#pragma once

#include <cstdint>

namespace tandem {

/// A step of a pattern, in pels.
struct Offset {
    int x, y;
    /// Without a branch, as vectors are compared.
    constexpr bool operator==(const Offset& other) const { return ((x ^ other.x) | (y ^ other.y)) == 0; }
};

struct Pattern {
    static constexpr int most = 16;
    int count = 0;
    Offset places[most] = {}; ///< `count` of them.
};

namespace patterns {

inline constexpr Pattern square{8, {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
inline constexpr Pattern small_diamond{4, {{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
/// Zhu and Ma, 2000.
inline constexpr Pattern large_diamond{8, {{0, -2}, {-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}, {0, 2}}};
/// Zhu, Lin and Chau, 2002.
inline constexpr Pattern hexagon{6, {{-1, -2}, {1, -2}, {-2, 0}, {2, 0}, {-1, 2}, {1, 2}}};
/// The outer ring of UMHexagonS (JVT-F017), used at multiples of its size.
inline constexpr Pattern large_hexagon{16,
                                       {{0, -4},
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

} // namespace patterns

enum class WalkSteps : std::uint8_t {
    halved,       ///< The pattern once at each step, the step halving down to 1.
    one_less,     ///< The same, the step less by one each time.
    patient,      ///< The same step again until its centre is the best; then the step halves (Jain and Jain, 1981).
    while_better, ///< The pattern as it is, until its centre is the best.
};

/// A walk tries `pattern`, scaled by a step where its steps say so, and `last` once at the end.
///
///     inline constexpr Walk cross{WalkSteps::while_better, patterns::cross, patterns::square};
struct Walk {
    /// Places of either pattern, at most: a GPU tries them at once.
    static constexpr int most_places = 8;
    WalkSteps steps = WalkSteps::while_better;
    Pattern pattern;
    Pattern last = {};            ///< May be empty.
    int first_x = 0, first_y = 0; ///< Pels, by walk_of(): the first steps; 0 on an axis on which there is none.
};

namespace walks {

inline constexpr Walk three_step{WalkSteps::halved, patterns::square};
/// Mazaré, 2006.
inline constexpr Walk logarithmic{WalkSteps::one_less, patterns::square};
/// Jain and Jain, 1981.
inline constexpr Walk patient_logarithmic{WalkSteps::patient, patterns::small_diamond, patterns::square};
inline constexpr Walk diamond{WalkSteps::while_better, patterns::large_diamond, patterns::small_diamond};
inline constexpr Walk hexagon{WalkSteps::while_better, patterns::hexagon, patterns::small_diamond};

} // namespace walks

} // namespace tandem
