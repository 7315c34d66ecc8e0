// SPDX-License-Identifier: BSD-2-Clause
// What the kernels of elimination_kernels.h read and write, and those that are compiled for one instruction set each;
// elimination.cpp makes the table.
// Plain declarations only: what a file of one instruction set includes must not define functions that others share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "me/kernels/positions.h"

#define TANDEM_DECLARE_ELIMINATION_VARIANTS(isa)                                                                       \
    void fine_row_##isa(const std::uint8_t* upper, const std::uint8_t* lower, int strips, const FineRow& row);         \
    void coarse_row_##isa(const FineRow& upper, const FineRow& lower, int strips, std::uint8_t* means);                \
    int survivors_##isa(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,                    \
                        BoundedPosition* found);

namespace tandem {

/// One cell of a block, 4x4 samples: where the sum stands that the reference has at the cell's own place, and the sum
/// of samples in the current picture, at most 4080, twice so that it is read as one word of 32 bits.
struct BlockCell {
    const std::uint16_t* sums;
    std::uint16_t value[2];
};

/// A byte for each of a block's cells, beside those of the reference, which lie in rows of chunks of 64 bytes. A chunk
/// is about 32 positions, and cells of one position are neighbours in it: byte 16 i + k is the cell at the chunk's
/// sample i + 4 k where cells have 4x4 samples, and at sample 16 (i / 2) + i % 2 + 2 k where they have 2x2.
struct CellBytes {
    const std::uint8_t* plane;  ///< The chunk with the first position of the rectangle; null where there are none.
    std::ptrdiff_t stride;      ///< Of one row of samples to the next, in bytes.
    const std::uint8_t* values; ///< Those of the current block, row by row.
    int side;                   ///< Of a cell, in samples: 4 or 2.
    int fours, rows;            ///< Cells across, divided by 4, and down; at most 256 cells in all.
    int scale, slack; ///< scale (16, 4 or 1) times the sum of the distances is at most `slack` over the block's SAD.
};

constexpr int positions_per_chunk = 32;
constexpr int positions_per_strip = 2 * positions_per_chunk;
constexpr int bytes_per_chunk = 64;

/// The cells that make up a block. Coarse are the means of 4x4 samples, floor(sum / 16), and fine those of 2x2,
/// floor(sum / 4): they tell large differences. Folded are the sums of 2x2, s, as | 255 - | s - 510 | |: they tell
/// small differences exactly, for folding makes none larger. Where there are no fine and folded ones (there are both
/// or neither), the sums of 4x4 samples are looked at in their place.
struct BlockCells {
    const BlockCell* cells;
    int count;
    std::ptrdiff_t stride; ///< Of the sums of one row of positions to the next, in elements,
    std::ptrdiff_t first;  ///< and of the block's own position to the first of a rectangle of positions.
    int place;             ///< Which of the 32 positions of its chunk the first one is.
    CellBytes coarse, fine, folded;
};

constexpr int most_block_bytes = 256; ///< Of one level: the sum of more distances would not fit in 16 bits.

/// The bytes of a block's cells, and how much the distances of means may exceed. A level with more cells than fit is
/// left alone, with slack 0.
struct BlockBytes {
    std::uint8_t coarse[most_block_bytes], fine[most_block_bytes], folded[most_block_bytes];
    int coarse_slack, fine_slack;
};

constexpr int most_rows_of_survivors = 96; ///< That are looked at in one go.
/// Groups of 32 positions that coarse means leave are collected, row by row until there are `enough_groups`, and only
/// then looked at closer: where there are too many it is hopeless. A row adds the second at most, at the largest range.
constexpr int enough_groups = 256, most_groups_in_a_row = (2 * 4080 + 1 + 62) / 32;
constexpr int hopeless = -1; ///< In place of a number of survivors: looking for them takes too long.

/// What a row of cells of 2x2 samples is written to: their sums, those at even and at odd samples apart, so many chunks
/// of 16 each and one 0 beyond; and chunks of their means and of their sums folded.
struct FineRow {
    std::uint16_t *even, *odd;
    std::uint8_t *means, *folded;
};

TANDEM_DECLARE_ELIMINATION_VARIANTS(avx2)
TANDEM_DECLARE_ELIMINATION_VARIANTS(avx512)
/// AVX-512's too.
void block_bytes_avx2(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height, BlockBytes& bytes);

} // namespace tandem

#undef TANDEM_DECLARE_ELIMINATION_VARIANTS
