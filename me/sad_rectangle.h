// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions, whatever instructions make their SADs. For files of one instruction set: nothing here has a
// name outside the file that includes it. `Sums` is a row of `positions` sums of type `Word`, with
//   Row               the samples of the reference that a row of the block is compared with,
//   add(block, Row)   which adds the SADs of a row of the block (OneRow and TwoRows use those),
//   within(limit)     a bit for each sum that is at most that, which is not negative,
//   store(Word*)      in the order of columns, to aligned memory.
#pragma once

#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// Where the rows of one rectangle are, and what is good enough there.
struct Rectangle {
    const Byte* current;
    Stride current_stride;
    const Byte* reference;
    Stride reference_stride;
    int height; ///< Of the block.
    int columns, rows;
    const std::int32_t* limits;

    const Byte* at(int column, int row) const { return reference + row * reference_stride + column; }
};

/// By value: sums whose address is taken are kept in memory all the while they are made.
template <class Sums>
int report(Sums sums, int column, int columns, int row, std::int32_t limit, MeasuredPosition* found) {
    if (limit < 0) return 0;
    std::uint64_t lanes = sums.within(limit);
    if (columns < Sums::positions) lanes &= (std::uint64_t{1} << columns) - 1;
    if (lanes == 0) return 0;
    alignas(64) typename Sums::Word words[Sums::positions];
    sums.store(words);
    int n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int i = __builtin_ctzll(lanes);
        found[n++] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, words[i]};
    }
    return n;
}

template <class Sums> int columns_from(const Rectangle& r, int column) {
    return r.columns - column < Sums::positions ? r.columns - column : Sums::positions;
}

/// One row of positions.
template <class Sums> struct OneRow {
    Sums only;
    OneRow(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        Sums sums; // As below.
        for (int y = 0; y < height; ++y)
            sums.add(current + y * current_stride, typename Sums::Row(reference + y * reference_stride));
        only = sums;
    }
};

/// Two rows of positions of at most 256 samples: each row of the reference is loaded once for both.
template <class Sums> struct TwoRows {
    Sums first, second;
    TwoRows(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        Sums upper, lower; // Members would be kept in memory all the while.
        upper.add(current, typename Sums::Row(reference));
#pragma GCC unroll 3 // More are slower.
        for (int y = 1; y < height; ++y) {
            reference += reference_stride;
            const typename Sums::Row samples(reference);
            lower.add(current, samples);
            current += current_stride;
            upper.add(current, samples);
        }
        lower.add(current, typename Sums::Row(reference + reference_stride));
        first = upper;
        second = lower;
    }
};

template <class Sums> int measure_two_rows(const Rectangle& r, int column, int row, MeasuredPosition* found) {
    const TwoRows<Sums> sums(r.current, r.current_stride, r.at(column, row), r.reference_stride, r.height);
    const int columns = columns_from<Sums>(r, column);
    const int n = report(sums.first, column, columns, row, r.limits[row], found);
    return n + report(sums.second, column, columns, row + 1, r.limits[row + 1], found + n);
}

template <class Sums> int measure_row(const Rectangle& r, int column, int row, MeasuredPosition* found) {
    const OneRow<Sums> sums(r.current, r.current_stride, r.at(column, row), r.reference_stride, r.height);
    return report(sums.only, column, columns_from<Sums>(r, column), row, r.limits[row], found);
}

/// All rows, from a column on, of as many columns as are measured together.
template <class Sums> int measure_strip(const Rectangle& r, int column, MeasuredPosition* found) {
    int n = 0;
    int row = 0;
    for (; row + 2 <= r.rows; row += 2)
        if ((r.limits[row] & r.limits[row + 1]) >= 0) n += measure_two_rows<Sums>(r, column, row, found + n);
    if (row < r.rows && r.limits[row] >= 0) n += measure_row<Sums>(r, column, row, found + n);
    return n;
}

/// A block of any size, a row at a time by sad_row(), from a column on.
template <auto sad_row> int measure_any(const Rectangle& r, int width, int first_column, MeasuredPosition* found) {
    constexpr int together = 64;
    int n = 0;
    std::uint32_t sads[together];
    for (int row = 0; row < r.rows && first_column < r.columns; ++row) {
        if (r.limits[row] < 0) continue;
        const auto limit = static_cast<std::uint32_t>(r.limits[row]);
        for (int column = first_column; column < r.columns; column += together) {
            const int count = r.columns - column < together ? r.columns - column : together;
            sad_row(r.current, r.current_stride, r.at(column, row), r.reference_stride, width, r.height, count, sads);
            for (int i = 0; i < count; ++i) {
                found[n] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, sads[i]};
                n += sads[i] <= limit;
            }
        }
    }
    return n;
}

/// The positions of one column, by sad_column().
template <auto sad_column> int measure_column(const Rectangle& r, int width, int column, MeasuredPosition* found) {
    constexpr int most = 96;
    std::uint32_t sads[most];
    int n = 0;
    for (int row = 0; row < r.rows; row += most) {
        const int count = r.rows - row < most ? r.rows - row : most;
        sad_column(r.current, r.current_stride, r.at(column, row), r.reference_stride, width, r.height, count, sads);
        for (int i = 0; i < count; ++i) {
            const std::int32_t limit = r.limits[row + i];
            found[n] = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row + i)}, sads[i]};
            n += limit >= 0 && sads[i] <= static_cast<std::uint32_t>(limit);
        }
    }
    return n;
}

/// A block that tiles of 16x16 make up, at two rows or more; `SumsOfTiles` adds up the `Sums` of tiles. Of an odd
/// number of rows the last but one is summed twice.
template <class Sums, class SumsOfTiles, auto sad_row>
int measure_tiles(const Rectangle& r, int width, MeasuredPosition* found) {
    constexpr int few = 4; // Columns that are not worth a strip.
    int n = 0, column = 0;
    for (; r.columns - column > few; column += Sums::positions) {
        const int columns = columns_from<Sums>(r, column);
        for (int row = 0; row < r.rows; row += 2) {
            const int upper = row + 1 < r.rows ? row : row - 1;
            if ((r.limits[upper] & r.limits[upper + 1]) < 0) continue;
            SumsOfTiles first, second;
            for (int y = 0; y < r.height; y += 16) {
                for (int x = 0; x < width; x += 16) {
                    const TwoRows<Sums> tile(r.current + y * r.current_stride + x, r.current_stride,
                                             r.at(column + x, upper + y), r.reference_stride, 16);
                    first.add(tile.first);
                    second.add(tile.second);
                }
            }
            if (upper == row) n += report(first, column, columns, upper, r.limits[upper], found + n);
            n += report(second, column, columns, upper + 1, r.limits[upper + 1], found + n);
        }
    }
    return n + measure_any<sad_row>(r, width, column, found + n);
}

} // namespace

} // namespace tandem
