// SPDX-License-Identifier: BSD-2-Clause
// Positions that kernels measure, and what they tell of one.
// Plain declarations only: what a file of one instruction set includes must not define functions that others share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

/// A position of a rectangle of positions.
struct Position {
    std::uint16_t column, row;
};

/// A position and a lower bound of its SAD.
struct BoundedPosition {
    Position position;
    std::uint32_t bound;
};

/// A position and what was measured there.
struct MeasuredPosition {
    Position position;
    std::uint32_t distortion;
};

} // namespace tandem
