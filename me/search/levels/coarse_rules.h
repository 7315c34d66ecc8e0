// SPDX-License-Identifier: BSD-2-Clause
// The rules of the coarse search (coarse_motion.h), for CPU and GPU alike: which cells it has, where a cell of a level
// begins, where a block does. A level reads nothing but the one before, so that each is one kernel on a GPU.
#pragma once

#include "me/motion.h"
#include "me/search/pattern.h"

namespace tandem {

/// Samples of a level along a side of a cell.
inline constexpr int coarse_cell_side = 8;

/// Right shift of a vector's rate: a block of 256 samples has four times those of a cell, which stands for it whatever
/// its level.
inline constexpr int coarse_rate_shift = 2;

/// Column and row of a cell.
struct CellPlace {
    int column, row;
};

/// Cells of the level before at whose vectors, doubled, a cell begins: the one that it lies in and the three that are
/// nearest to it. Those outside of the picture do not count. Zero is the other vector at which it begins.
inline constexpr int coarser_cells = 4;
TANDEM_HOST_DEVICE constexpr CellPlace coarser_cell(CellPlace cell, int number) {
    const int beside = cell.column % 2 == 0 ? -1 : 1, above = cell.row % 2 == 0 ? -1 : 1;
    return {cell.column / 2 + ((number & 1) != 0 ? beside : 0), cell.row / 2 + ((number & 2) != 0 ? above : 0)};
}

/// Cells of half size at whose vectors, doubled, a block begins, whose middle is given in pels: the cell in which that
/// lies and its four neighbours.
inline constexpr int cells_of_block = 5;
TANDEM_HOST_DEVICE constexpr CellPlace cell_of_block(int middle_x, int middle_y, int number) {
    constexpr int pels = 2 * coarse_cell_side;
    return {middle_x / pels + (number == 2 ? 1 : 0) - (number == 1 ? 1 : 0),
            middle_y / pels + (number == 4 ? 1 : 0) - (number == 3 ? 1 : 0)};
}

/// The rows of cells of a level that blocks of the pels first_y .. end_y - 1 ask for, of `rows`: those that they lie
/// in and one more on each side, since cells of the next level, or blocks, read one row beyond their own.
struct CellBand {
    int first, end;
};
constexpr CellBand cells_wanted(int level, int first_y, int end_y, int rows) {
    const int pels = coarse_cell_side << level;
    const int first = first_y / pels - 1, end = (end_y - 1) / pels + 2;
    return {first > 0 ? first : 0, end < rows ? end : rows};
}

} // namespace tandem
