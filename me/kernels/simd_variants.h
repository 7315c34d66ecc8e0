// SPDX-License-Identifier: BSD-2-Clause
// The kernels that are compiled for one instruction set each; distortion.cpp, elimination.cpp and
// interpolation.cpp make the tables.
// Plain declarations only: what a file of one instruction set includes must not define functions that others share.
#pragma once

#include <cstddef>
#include <cstdint>

#define TANDEM_DECLARE_VARIANTS(isa)                                                                                   \
    std::uint64_t bare_sads_##isa(std::uint64_t);                                                                      \
    std::uint32_t sad_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int);       \
    std::uint32_t satd_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int);      \
    void sad_row_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,        \
                       std::uint32_t*);                                                                                \
    int sads_within_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,     \
                          int, const std::int32_t*, MeasuredPosition*);                                                \
    int ssds_within_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,     \
                          int, const std::int32_t*, MeasuredPosition*);                                                \
    int satds_within_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,    \
                           int, const std::int32_t*, MeasuredPosition*);                                               \
    void all_sads_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int, int,  \
                        std::uint16_t*, std::ptrdiff_t);                                                               \
    void all_ssds_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int, int,  \
                        std::uint32_t*, std::ptrdiff_t);                                                               \
    void all_satds_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int, int, \
                         std::uint16_t*, std::ptrdiff_t);                                                              \
    void sad_many_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t* const*, std::ptrdiff_t, int, int,     \
                        int, std::uint32_t*);                                                                          \
    void sad_column_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,     \
                          std::uint32_t*);                                                                             \
    void fine_row_##isa(const std::uint8_t*, const std::uint8_t*, int, const FineRow&);                                \
    void coarse_row_##isa(const FineRow&, const FineRow&, int, std::uint8_t*);                                         \
    int survivors_##isa(const BlockCells&, int, int, const std::int32_t*, BoundedPosition*);                           \
    void half_pel_rows_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint8_t*, std::uint8_t*,              \
                             std::uint8_t*);                                                                           \
    void bilinear_row_##isa(const std::uint8_t*, const std::uint8_t*, int, int, int, std::uint8_t*);

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

/// A position of a rectangle of positions.
struct Position {
    std::uint16_t column, row;
};

/// And a lower bound of its SAD.
struct BoundedPosition {
    Position position;
    std::uint32_t bound;
};

/// A position and what was measured there.
struct MeasuredPosition {
    Position position;
    std::uint32_t distortion;
};

TANDEM_DECLARE_VARIANTS(avx2)
TANDEM_DECLARE_VARIANTS(avx512)
/// AVX-512's too.
std::uint32_t ssd_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       int width, int height);
void block_bytes_avx2(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height, BlockBytes& bytes);

/// AVX2's where mpsadbw_is_slow().
std::uint64_t bare_sads_psadbw_avx2(std::uint64_t rounds);
int sads_within_psadbw_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                            std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                            const std::int32_t* limits, MeasuredPosition* found);
void all_sads_psadbw_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                          std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                          std::uint16_t* sads, std::ptrdiff_t row_length);

} // namespace tandem

#undef TANDEM_DECLARE_VARIANTS
