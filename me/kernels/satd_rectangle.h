// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions by SATD. For files of one instruction set: nothing here has a name outside the file that
// includes it. The Hadamard transform is linear, so cells of 4x4 samples are transformed once for each place of the
// reference and once for the block, and coefficients R and B are compared: since |R - B| = 2 max(R, B) - R - B, and the
// sum of all coefficients of a cell is 16 times its first sample (r and b),
//   SATD = sum |R - B| / 2 = sum max(R, B) - 8 sum r - 8 sum b.
// `Lanes` says how:
//   Vector, count                so many unsigned words of 16 bits,
//   load(p)                      from so many bytes,
//   repeat(pair), larger(a, b)   of two equal words; word by word, with a sign,
//   add_to(sums, words)          to as many sums of 32 bits.
#pragma once

#include "me/kernels/position_rectangle.h"

namespace tandem {

namespace {

constexpr int cell_size = 4, coefficients = 16;
constexpr int cells_together = 4; ///< Of a row, whose sum fits 16 bits: at most 255 * 40 for each.

/// Four values to their transform, lowest frequency first; all of its signs of `a` are positive.
template <class Value> void hadamard(Value& a, Value& b, Value& c, Value& d) {
    const Value sum0 = a + b, difference0 = a - b, sum1 = c + d, difference1 = c - d;
    a = sum0 + sum1;
    b = difference0 + difference1;
    c = sum0 - sum1;
    d = difference0 - difference1;
}

/// A block's cells, transformed.
struct TransformedBlock {
    int across, down; ///< Cells.
    std::uint32_t eight_firsts = 0;
    std::int16_t pairs[2 * largest_block * largest_block]; ///< Each coefficient twice, cell by cell.

    TransformedBlock(const Byte* samples, Stride stride, int width, int height)
        : across(width / cell_size), down(height / cell_size) {
        std::int16_t* to = pairs;
        for (int y = 0; y < height; y += cell_size) {
            for (int x = 0; x < width; x += cell_size, to += 2 * coefficients)
                add_cell(samples + y * stride + x, stride, to);
        }
    }
    const std::int16_t* cell(int x, int y) const { return pairs + 2 * coefficients * (y * across + x); }

  private:
    void add_cell(const Byte* samples, Stride stride, std::int16_t* to) {
        int values[cell_size][cell_size];
        for (int y = 0; y < cell_size; ++y) {
            for (int x = 0; x < cell_size; ++x)
                values[y][x] = samples[y * stride + x];
            hadamard(values[y][0], values[y][1], values[y][2], values[y][3]);
        }
        eight_firsts += 8u * samples[0];
        for (int x = 0; x < cell_size; ++x) {
            hadamard(values[0][x], values[1][x], values[2][x], values[3][x]);
            for (int y = 0; y < cell_size; ++y) {
                for (int i = 0; i < 2; ++i)
                    to[2 * (cell_size * y + x) + i] = static_cast<std::int16_t>(values[y][x]);
            }
        }
    }
};

/// The cells of the reference at every column of one row of samples, of which the last four rows are remembered.
template <class Lanes, int positions> class TransformedRow {
  public:
    explicit TransformedRow(int columns) : columns_(columns) {}

    /// The row below those before.
    void take(const Byte* row) {
        std::int16_t* const firsts = minus_eight_[first_];
        std::int16_t* const across = across_[first_][0];
        first_ = (first_ + 1) % cell_size;
        for (int x = 0; x < columns_; x += Lanes::count) {
            Vector a = Lanes::load(row + x), b = Lanes::load(row + x + 1);
            Vector c = Lanes::load(row + x + 2), d = Lanes::load(row + x + 3);
            store(firsts + x, Vector{} - a * 8);
            hadamard(a, b, c, d);
            store_four(across + x, a, b, c, d, 1);
        }
    }

    void transform() {
        for (int frequency = 0; frequency < cell_size; ++frequency) {
            const std::int16_t* rows[cell_size];
            for (int y = 0; y < cell_size; ++y)
                rows[y] = across_[(first_ + y) % cell_size][frequency];
            for (int x = 0; x < columns_; x += Lanes::count) {
                Vector a = load(rows[0] + x), b = load(rows[1] + x), c = load(rows[2] + x), d = load(rows[3] + x);
                hadamard(a, b, c, d);
                store_four(coefficients_[frequency] + x, a, b, c, d, cell_size);
            }
        }
    }

    using Vector = typename Lanes::Vector;
    Vector coefficient(int i, int x) const { return load(&coefficients_[i][x]); }
    Vector minus_eight_firsts(int x) const { return load(&minus_eight_[first_][x]); }

  private:
    static constexpr int most_columns = positions + largest_block;

    static Vector load(const std::int16_t* from) {
        Vector words;
        __builtin_memcpy(&words, from, sizeof words);
        return words;
    }
    static void store(std::int16_t* to, Vector words) { __builtin_memcpy(to, &words, sizeof words); }
    /// So many rows of columns apart.
    static void store_four(std::int16_t* to, Vector a, Vector b, Vector c, Vector d, int step) {
        store(to, a);
        store(to + step * most_columns, b);
        store(to + 2 * step * most_columns, c);
        store(to + 3 * step * most_columns, d);
    }

    int columns_;
    unsigned first_ = 0;                                                  ///< Of the four rows: the oldest.
    alignas(64) std::int16_t across_[cell_size][cell_size][most_columns]; ///< Transformed across, by row and frequency.
    alignas(64) std::int16_t minus_eight_[cell_size][most_columns];       ///< -8 times the samples.
    alignas(64) std::int16_t coefficients_[coefficients][most_columns];
};

/// Sums of max(R, B) - 8 r for cells of `rows` rows of the block, one under another, at `vectors` * Lanes::count
/// positions.
template <class Lanes, int rows, int vectors> struct CellSums {
    using Vector = typename Lanes::Vector;
    Vector sums[vectors] = {};
    CellSums<Lanes, rows - 1, vectors> below;

    void add(const Vector (&reference)[vectors], const std::int16_t* pair, int pairs_per_row) {
        const Vector block = Lanes::repeat(pair);
        for (int i = 0; i < vectors; ++i)
            sums[i] += Lanes::larger(reference[i], block);
        below.add(reference, pair + pairs_per_row, pairs_per_row);
    }
    void add(const Vector (&firsts)[vectors]) {
        for (int i = 0; i < vectors; ++i)
            sums[i] += firsts[i];
        below.add(firsts);
    }
};

template <class Lanes, int vectors> struct CellSums<Lanes, 0, vectors> {
    using Vector = typename Lanes::Vector;
    void add(const Vector (&)[vectors], const std::int16_t*, int) {}
    void add(const Vector (&)[vectors]) {}
};

/// As many columns as are measured together, all rows of them: each row of the reference adds its cells to the
/// positions whose block has a row of cells there.
template <class Lanes, int vectors, class Taker> class SatdStrip {
  public:
    static constexpr int positions = vectors * Lanes::count;

    SatdStrip(const PositionRectangle& rectangle, const TransformedBlock& block, int column, Taker& taker)
        : rectangle_(rectangle), block_(block), column_(column),
          columns_(rectangle.columns - column < positions ? rectangle.columns - column : positions), taker_(taker),
          row_(columns_ + (block.across - 1) * cell_size) {}

    void measure() {
        const Byte* reference = rectangle_.reference + column_;
        for (int y = 0; y < cell_size - 1; ++y, reference += rectangle_.stride)
            row_.take(reference);
        const int last_cells = (block_.down - 1) * cell_size; // Below a position.
        for (int y = 0; y < rectangle_.rows + last_cells; ++y, reference += rectangle_.stride) {
            row_.take(reference);
            row_.transform();
            if (y < rectangle_.rows) begin(sums_of(y));
            add_row(y);
            if (y >= last_cells && taker_.wants(y - last_cells))
                taker_.take(sums_of(y - last_cells), columns_, column_, y - last_cells);
        }
    }

  private:
    using Vector = typename Lanes::Vector;

    std::uint32_t* sums_of(int row) { return sums_[row % (block_.down * cell_size)]; }
    void begin(std::uint32_t* sums) const {
        for (int i = 0; i < positions; ++i)
            sums[i] = 0 - block_.eight_firsts;
    }

    /// Cells of row y of the reference to the positions that have them.
    void add_row(int y) {
        for (int cell = 0; cell < block_.down;) {
            const int rows = wanted_from(y, cell);
            if (rows >= 4)
                cell += add_cells<4>(y, cell);
            else if (rows >= 2)
                cell += add_cells<2>(y, cell);
            else if (rows == 1)
                cell += add_cells<1>(y, cell);
            else
                ++cell;
        }
    }

    /// How many rows of cells, from that one on, up to 4, are in wanted rows of positions.
    int wanted_from(int y, int cell) const {
        int rows = 0;
        for (; rows < 4 && cell + rows < block_.down; ++rows) {
            const int position = y - cell_size * (cell + rows);
            if (position < 0 || position >= rectangle_.rows || !taker_.wants(position)) break;
        }
        return rows;
    }

    /// Returns `rows`.
    template <int rows> int add_cells(int y, int cell) {
        for (int begin = 0; begin < block_.across; begin += cells_together) {
            const int end = begin + cells_together < block_.across ? begin + cells_together : block_.across;
            CellSums<Lanes, rows, vectors> sums;
            for (int x = begin; x < end; ++x) {
                const std::int16_t* pair = block_.cell(x, cell);
                Vector values[vectors];
                for (int k = 0; k < coefficients; ++k, pair += 2) {
                    for (int i = 0; i < vectors; ++i)
                        values[i] = row_.coefficient(k, i * Lanes::count + cell_size * x);
                    sums.add(values, pair, 2 * coefficients * block_.across);
                }
                for (int i = 0; i < vectors; ++i)
                    values[i] = row_.minus_eight_firsts(i * Lanes::count + cell_size * x);
                sums.add(values);
            }
            add_up(y - cell_size * cell, sums);
        }
        return rows;
    }

    template <int rows> void add_up(int row, const CellSums<Lanes, rows, vectors>& cells) {
        for (int i = 0; i < vectors; ++i)
            Lanes::add_to(sums_of(row) + i * Lanes::count, cells.sums[i]);
        add_up(row - cell_size, cells.below);
    }
    void add_up(int, const CellSums<Lanes, 0, vectors>&) {}

    const PositionRectangle& rectangle_;
    const TransformedBlock& block_;
    int column_, columns_;
    Taker& taker_;
    TransformedRow<Lanes, positions> row_;
    alignas(64) std::uint32_t sums_[largest_block][positions]; ///< Of rows of positions that are not complete, around.
};

/// Blocks that cells make up by strips; others, and few columns that are left over, singly.
template <class Lanes, auto satd, class Taker>
void measure_satds(const Byte* current, Stride current_stride, int width, int height, const PositionRectangle& r,
                   Taker& taker) {
    constexpr int few = Lanes::count / 3;
    int column = 0;
    if (width % cell_size == 0 && height % cell_size == 0) {
        const TransformedBlock block(current, current_stride, width, height);
        for (; r.columns - column > Lanes::count + few; column += 2 * Lanes::count)
            SatdStrip<Lanes, 2, Taker>(r, block, column, taker).measure();
        for (; r.columns - column > few; column += Lanes::count)
            SatdStrip<Lanes, 1, Taker>(r, block, column, taker).measure();
    }
    measure_singly<satd>(current, current_stride, width, height, r, column, taker);
}

} // namespace

} // namespace tandem
