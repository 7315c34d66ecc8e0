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
    int survivors_##isa(const BlockCells&, const BlockCells&, int, int, const std::int32_t*, Position*);               \
    void half_pel_rows_##isa(const std::uint8_t*, const std::uint8_t*, int, std::uint8_t*, std::uint8_t*,              \
                             std::uint8_t*);

namespace tandem {

/// One cell of a block: its sum of samples in the current picture, and where that sum stands for the first of a
/// rectangle of positions in the reference. A cell has at most 256 samples, so that its sum fits.
struct BlockCell {
    const std::uint16_t* sums;
    std::uint16_t value;
};

/// The cells of one size that make up a block.
struct BlockCells {
    const BlockCell* cells;
    int count;
    std::ptrdiff_t stride; ///< Of the sums of one row of positions to the next, in elements.
};

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
