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
    std::uint32_t ssd_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int);       \
    std::uint32_t satd_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int);      \
    void sad_row_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,        \
                       std::uint32_t*);                                                                                \
    int sads_within_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t*, std::ptrdiff_t, int, int, int,     \
                          int, const std::int32_t*, MeasuredPosition*);                                                \
    void sad_many_##isa(const std::uint8_t*, std::ptrdiff_t, const std::uint8_t* const*, std::ptrdiff_t, int, int,     \
                        int, std::uint32_t*);                                                                          \
    void slide_columns_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint16_t*);                           \
    void add_shifted_##isa(const std::uint16_t*, int, int, std::uint16_t*);                                            \
    void pack_means_##isa(const std::uint16_t*, int, std::uint8_t*);                                                   \
    void pack_fine_means_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint8_t*);                          \
    int survivors_##isa(const BlockCells&, int, int, const std::int32_t*, BoundedPosition*);                           \
    void half_pel_rows_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint8_t*, std::uint8_t*,              \
                             std::uint8_t*);

namespace tandem {

/// One cell of a block, 4x4 samples: where the sum stands that the reference has at the cell's own place, and the sum
/// of samples in the current picture, at most 4080, twice so that it is read as one word of 32 bits.
struct BlockCell {
    const std::uint16_t* sums;
    std::uint16_t value[2];
};

/// The means of a block's cells as bytes, floor(sum / samples of a cell), beside those of the reference, which lie in
/// rows of chunks of 64 bytes. A chunk is about 32 positions, and cells of one position are neighbours in it: byte
/// 16 i + k is the cell at the chunk's sample i + 4 k where cells have 4x4 samples, and at sample
/// i / 2 + 16 (i % 2) + 2 k where they have 2x2.
struct CellMeans {
    const std::uint8_t* plane;  ///< The chunk with the first position of the rectangle; null where there are none.
    std::ptrdiff_t stride;      ///< Of one row of samples to the next, in bytes.
    const std::uint8_t* values; ///< Those of the current block, row by row.
    int side;                   ///< Of a cell, in samples: 4 or 2.
    int fours,
        rows;  ///< Cells across, divided by 4 (at most 2 where the side is 2), and down; at most 256 cells in all.
    int slack; ///< side^2 times the sum of the means' distances is at most this larger than the block's SAD.
};

constexpr int positions_per_chunk = 32;
constexpr int bytes_per_chunk = 64;

/// The cells that make up a block, of 4x4 samples, and their means, of which there may be none. Where there are fine
/// ones they are looked at in place of the sums.
struct BlockCells {
    const BlockCell* cells;
    int count;
    std::ptrdiff_t stride;  ///< Of the sums of one row of positions to the next, in elements,
    std::ptrdiff_t first;   ///< and of the block's own position to the first of a rectangle of positions.
    int place;              ///< Which of the 32 positions of its chunk the first one is.
    CellMeans coarse, fine; ///< Of 4x4 and of 2x2 samples.
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

struct MeasuredPosition {
    Position position;
    std::uint32_t sad;
};

TANDEM_DECLARE_VARIANTS(avx2)
TANDEM_DECLARE_VARIANTS(avx512)

} // namespace tandem

#undef TANDEM_DECLARE_VARIANTS
