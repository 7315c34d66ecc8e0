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
    int survivors_##isa(const CellMeans&, const BlockCells&, int, int, const std::int32_t*, Position*);                \
    void half_pel_rows_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint8_t*, std::uint8_t*,              \
                             std::uint8_t*);

namespace tandem {

/// One cell of a block, 4x4 samples: where the sum stands that the reference has at the cell's own place, and the sum
/// of samples in the current picture, at most 4080, twice so that it is read as one word of 32 bits.
struct BlockCell {
    const std::uint16_t* sums;
    std::uint16_t value[2];
};

/// The cells that make up a block.
struct BlockCells {
    const BlockCell* cells;
    int count;
    std::ptrdiff_t stride; ///< Of the sums of one row of positions to the next, in elements,
    std::ptrdiff_t first;  ///< and of the block's own position to the first of a rectangle of positions.
};

/// The same cells as bytes, floor(sum / 16). A row of them is a row of chunks of 64 bytes; a chunk is about 32
/// positions: byte 16 i + k is the cell at the chunk's sample i + 4 k, so that the cells of one position are
/// neighbours.
struct CellMeans {
    const std::uint8_t* plane;  ///< The chunk with the first position of the rectangle; null where there are none.
    std::ptrdiff_t stride;      ///< Of one row of samples to the next, in bytes.
    int first;                  ///< Which of the 32 positions of its chunk the first position is.
    const std::uint8_t* values; ///< Those of the current block, row by row.
    int fours, rows;            ///< Cells across, divided by 4, and down; at most 256 cells in all.
    int slack; ///< 16 times the sum of the means' distances is at most this larger than that of the sums' distances.
};

constexpr int positions_per_chunk = 32;
constexpr int bytes_per_chunk = 64;

/// A position of a rectangle of positions.
struct Position {
    std::uint16_t column, row;
};

struct MeasuredPosition {
    Position position;
    std::uint32_t sad;
};

TANDEM_DECLARE_VARIANTS(avx2)
TANDEM_DECLARE_VARIANTS(avx512)

} // namespace tandem

#undef TANDEM_DECLARE_VARIANTS
