// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions, whatever instructions make their SADs. For files of one instruction set: nothing here has a
// name outside the file that includes it. `Sums` is a row of `positions` sums of type `Word`, with
//   Row               the samples of the reference that a row of the block is compared with,
//   add(block, Row)   which adds the SADs of a row of the block (OneRow and TwoRows use those),
//   within(limit)     a bit for each sum that is at most that, which is not negative,
//   store(Word*)      in the order of columns.
#pragma once

#include "me/kernels/position_rectangle.h"

namespace tandem {

namespace {

/// A block and its positions.
struct Rectangle {
    const Byte* current;
    Stride current_stride;
    const Byte* reference;
    Stride reference_stride;
    int height; ///< Of the block.
    int columns, rows;

    const Byte* at(int column, int row) const { return reference + row * reference_stride + column; }
};

/// By value: sums whose address is taken are kept in memory all the while they are made.
template <class Sums>
[[gnu::always_inline]] inline void report(Sums sums, int column, int columns, int row, Within& good) {
    if (!good.wants(row)) return;
    std::uint64_t lanes = sums.within(good.limit(row));
    if (columns < Sums::positions) lanes &= (std::uint64_t{1} << columns) - 1;
    if (lanes == 0) return;
    alignas(64) typename Sums::Word words[Sums::positions];
    sums.store(words);
    for (; lanes != 0; lanes &= lanes - 1) {
        const int i = __builtin_ctzll(lanes);
        good.keep(words[i], column + i, row);
    }
}

template <class Sums>
void report(const Sums& sums, int column, int, int row, const Everything<typename Sums::Word>& all) {
    sums.store(all.at(column, row));
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

/// Whether a row of the reference is loaded while the one before is measured.
template <class Sums> constexpr bool loads_ahead = false;

/// Two rows of positions of at most 256 samples: each row of the reference is loaded once for both.
template <class Sums> struct TwoRows {
    Sums first, second;
    TwoRows(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        Sums upper, lower; // Members would be kept in memory all the while.
        upper.add(current, typename Sums::Row(reference));
        reference += reference_stride;
        typename Sums::Row next(reference);
#pragma GCC unroll 3 // More are slower.
        for (int y = 1; y < height; ++y) {
            const typename Sums::Row samples = next;
            reference += reference_stride;
            if constexpr (loads_ahead<Sums>) next = typename Sums::Row(reference);
            lower.add(current, samples);
            current += current_stride;
            upper.add(current, samples);
            if constexpr (!loads_ahead<Sums>) next = typename Sums::Row(reference);
        }
        lower.add(current, next);
        first = upper;
        second = lower;
    }
};

template <class Sums, class Taker> void measure_two_rows(const Rectangle& r, int column, int row, Taker& taker) {
    const TwoRows<Sums> sums(r.current, r.current_stride, r.at(column, row), r.reference_stride, r.height);
    const int columns = columns_from<Sums>(r, column);
    report(sums.first, column, columns, row, taker);
    report(sums.second, column, columns, row + 1, taker);
}

template <class Sums, class Taker> void measure_row(const Rectangle& r, int column, int row, Taker& taker) {
    const OneRow<Sums> sums(r.current, r.current_stride, r.at(column, row), r.reference_stride, r.height);
    report(sums.only, column, columns_from<Sums>(r, column), row, taker);
}

/// All rows, from a column on, of as many columns as are measured together.
template <class Sums, class Taker> void measure_strip(const Rectangle& r, int column, Taker& taker) {
    int row = 0;
    for (; row + 2 <= r.rows; row += 2)
        if (taker.wants(row) || taker.wants(row + 1)) measure_two_rows<Sums>(r, column, row, taker);
    if (row < r.rows && taker.wants(row)) measure_row<Sums>(r, column, row, taker);
}

/// A block of any size, a row at a time by sad_row(), from a column on.
template <auto sad_row, class Taker> void measure_any(const Rectangle& r, int width, int first_column, Taker& taker) {
    constexpr int together = 64;
    std::uint32_t sads[together];
    for (int row = 0; row < r.rows && first_column < r.columns; ++row) {
        if (!taker.wants(row)) continue;
        for (int column = first_column; column < r.columns; column += together) {
            const int count = r.columns - column < together ? r.columns - column : together;
            sad_row(r.current, r.current_stride, r.at(column, row), r.reference_stride, width, r.height, count, sads);
            taker.take(sads, count, column, row);
        }
    }
}

/// The positions of one column, by sad_column().
template <auto sad_column, class Taker> void measure_column(const Rectangle& r, int width, int column, Taker& taker) {
    constexpr int most = 96;
    std::uint32_t sads[most];
    for (int row = 0; row < r.rows; row += most) {
        const int count = r.rows - row < most ? r.rows - row : most;
        sad_column(r.current, r.current_stride, r.at(column, row), r.reference_stride, width, r.height, count, sads);
        taker.take_column(sads, count, column, row);
    }
}

/// A block that tiles of 16x16 make up, at two rows or more; `SumsOfTiles` adds up the `Sums` of tiles. Of an odd
/// number of rows the last but one is summed twice.
template <class Sums, class SumsOfTiles, auto sad_row> void measure_tiles(const Rectangle& r, int width, Within& good) {
    constexpr int few = 4; // Columns that are not worth a strip.
    int column = 0;
    for (; r.columns - column > few; column += Sums::positions) {
        const int columns = columns_from<Sums>(r, column);
        for (int row = 0; row < r.rows; row += 2) {
            const int upper = row + 1 < r.rows ? row : row - 1;
            if (!good.wants(upper) && !good.wants(upper + 1)) continue;
            SumsOfTiles first, second;
            for (int y = 0; y < r.height; y += 16) {
                for (int x = 0; x < width; x += 16) {
                    const TwoRows<Sums> tile(r.current + y * r.current_stride + x, r.current_stride,
                                             r.at(column + x, upper + y), r.reference_stride, 16);
                    first.add(tile.first);
                    second.add(tile.second);
                }
            }
            if (upper == row) report(first, column, columns, upper, good);
            report(second, column, columns, upper + 1, good);
        }
    }
    measure_any<sad_row>(r, width, column, good);
}

} // namespace

} // namespace tandem
