// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions by SSD. For files of one instruction set: nothing here has a name outside the file that
// includes it. With c the samples of the block, c' those less 128, and r the reference's,
//   sum (c - r)^2 = sum c^2 + sum (r^2 - 256 r) - 2 sum c' r,
// of which the first is the block's, the second slides from one row of positions to the next, and the products are what
// processors do many of at a time. `Lanes` says how:
//   samples, positions   so many neighbouring samples of a row make up one sum of 32 bits, so that registers of sums
//                        which begin at `samples` neighbouring columns have all of `positions`,
//   Element              of the block less 128,
//   Vector               a register of sums, or of the samples that they are made of,
//   load(p)              the reference's samples from there on,
//   first(n)             has ones where the first n of `samples` samples stand,
//   repeat(elements)     a group of `samples` elements beside each group of samples,
//   add_products(sums, samples, elements), add_squares(sums, samples)   sums of c' r, and of r^2 - 256 r,
//   any_within(sums, limit), store(sums, words)   of all positions, the latter in their order.
#pragma once

#include "me/kernels/position_rectangle.h"

namespace tandem {

namespace {

/// A block's samples less 128, rows filled up with zeros to a whole number of groups, which add nothing to a product.
template <class Lanes> struct SignedBlock {
    using Element = typename Lanes::Element;
    int width, height;
    int groups;                   ///< Of samples in a row.
    std::uint32_t square_sum = 0; ///< Of the samples themselves.
    alignas(64) Element elements[largest_block * largest_block];

    SignedBlock(const Byte* samples, Stride stride, int block_width, int block_height)
        : width(block_width), height(block_height), groups((width + Lanes::samples - 1) / Lanes::samples) {
        Element* to = elements;
        for (int y = 0; y < height; ++y, samples += stride, to += groups * Lanes::samples) {
            for (int x = 0; x < width; ++x) {
                to[x] = static_cast<Element>(samples[x] - 128);
                square_sum += static_cast<std::uint32_t>(samples[x] * samples[x]);
            }
            for (int x = width; x < groups * Lanes::samples; ++x)
                to[x] = 0;
        }
    }
    const Element* group(int row, int x) const { return elements + (row * groups + x) * Lanes::samples; }
};

/// What is neighbour to what in a row of the reference: samples for the sums that begin at each of the first columns.
template <class Lanes> struct Samples {
    typename Lanes::Vector from[Lanes::samples];
    explicit Samples(const Byte* p) {
        for (int i = 0; i < Lanes::samples; ++i)
            from[i] = Lanes::load(p + i);
    }
};

/// Sums at a row of positions.
template <class Lanes> struct Sums {
    typename Lanes::Vector from[Lanes::samples];

    Sums& operator+=(const Sums& other) {
        for (int i = 0; i < Lanes::samples; ++i)
            from[i] += other.from[i];
        return *this;
    }
    Sums& operator-=(const Sums& other) {
        for (int i = 0; i < Lanes::samples; ++i)
            from[i] -= other.from[i];
        return *this;
    }
};

/// Sums of r^2 - 256 r over the block's size, going down row by row.
template <class Lanes> class SlidingSquares {
  public:
    SlidingSquares(const Byte* reference, Stride stride, int width, int height)
        : width_(width), height_(height), below_(reference + height * stride), stride_(stride) {
        for (int y = 0; y < height; ++y) {
            rows_[y] = of_row(reference + y * stride);
            sums_ += rows_[y];
        }
    }
    const Sums<Lanes>& sums() const { return sums_; }

    void go_down() {
        sums_ -= rows_[top_];
        rows_[top_] = of_row(below_);
        sums_ += rows_[top_];
        below_ += stride_;
        top_ = top_ + 1 == height_ ? 0 : top_ + 1;
    }

  private:
    Sums<Lanes> of_row(const Byte* row) const {
        constexpr int size = Lanes::samples;
        Sums<Lanes> sums{};
        int x = 0;
        for (; x + size <= width_; x += size) {
            const Samples<Lanes> samples(row + x);
            for (int i = 0; i < size; ++i)
                Lanes::add_squares(sums.from[i], samples.from[i]);
        }
        if (x < width_) {
            const Samples<Lanes> samples(row + x);
            for (int i = 0; i < size; ++i)
                Lanes::add_squares(sums.from[i], samples.from[i] & Lanes::first(width_ - x));
        }
        return sums;
    }

    int width_, height_;
    const Byte* below_; ///< The row that comes next.
    Stride stride_;
    int top_ = 0;
    Sums<Lanes> sums_{};
    Sums<Lanes> rows_[largest_block]; ///< Those that the sums are made of, from `top_` on around.
};

/// The products at so many rows of positions, at the first of which row y of the block meets a row of the reference.
template <class Lanes, int rows> struct Products {
    Sums<Lanes> first;
    Products<Lanes, rows - 1> below;

    template <bool all_meet> void add(const Samples<Lanes>& samples, const SignedBlock<Lanes>& block, int y, int x) {
        if (all_meet || (y >= 0 && y < block.height)) {
            const typename Lanes::Vector elements = Lanes::repeat(block.group(y, x));
            for (int i = 0; i < Lanes::samples; ++i)
                Lanes::add_products(first.from[i], samples.from[i], elements);
        }
        below.template add<all_meet>(samples, block, y - 1, x);
    }
};

template <class Lanes> struct Products<Lanes, 0> {
    template <bool> void add(const Samples<Lanes>&, const SignedBlock<Lanes>&, int, int) {}
};

/// Each row of the reference is loaded once for all rows of positions. Inline, or sums go to their users by way of
/// memory.
template <class Lanes, int rows>
[[gnu::always_inline]] inline Products<Lanes, rows> products_of(const SignedBlock<Lanes>& block, const Byte* reference,
                                                                Stride stride) {
    Products<Lanes, rows> products{};
    for (int y = 0; y < block.height + rows - 1; ++y, reference += stride) {
        if (y >= rows - 1 && y < block.height) {
            for (int x = 0; x < block.groups; ++x)
                products.template add<true>(Samples<Lanes>(reference + x * Lanes::samples), block, y, x);
        } else {
            for (int x = 0; x < block.groups; ++x)
                products.template add<false>(Samples<Lanes>(reference + x * Lanes::samples), block, y, x);
        }
    }
    return products;
}

template <class Lanes>
[[gnu::always_inline]] inline void report(const Sums<Lanes>& ssds, int columns, int column, int row, Within& good) {
    if (!good.wants(row) || !Lanes::any_within(ssds.from, good.limit(row))) return;
    std::uint32_t words[Lanes::positions];
    Lanes::store(ssds.from, words);
    good.take(words, columns, column, row);
}

template <class Lanes>
void report(const Sums<Lanes>& ssds, int, int column, int row, const Everything<std::uint32_t>& all) {
    Lanes::store(ssds.from, all.at(column, row));
}

/// As many columns as are measured together, all rows of them.
template <class Lanes, class Taker> class Strip {
  public:
    Strip(const PositionRectangle& rectangle, const SignedBlock<Lanes>& block, int column, Taker& taker)
        : rectangle_(rectangle), block_(block), column_(column), taker_(taker),
          squares_(rectangle.reference + column, rectangle.stride, block.width, block.height) {}

    void measure() {
        int row = 0;
        for (; row + 4 <= rectangle_.rows; row += 4)
            measure_rows<4>(row);
        for (; row < rectangle_.rows; ++row)
            measure_rows<1>(row);
    }

  private:
    template <int count> void measure_rows(int row) {
        report_rows(row, products_of<Lanes, count>(block_, rectangle_.reference + row * rectangle_.stride + column_,
                                                   rectangle_.stride));
    }

    template <int count> void report_rows(int row, const Products<Lanes, count>& products) {
        Sums<Lanes> ssds = squares_.sums();
        for (int i = 0; i < Lanes::samples; ++i)
            ssds.from[i] += block_.square_sum - 2 * products.first.from[i];
        const int left = rectangle_.columns - column_, columns = left < Lanes::positions ? left : Lanes::positions;
        report(ssds, columns, column_, row, taker_);
        if (row + 1 < rectangle_.rows) squares_.go_down();
        report_rows(row + 1, products.below);
    }
    void report_rows(int, const Products<Lanes, 0>&) {}

    const PositionRectangle& rectangle_;
    const SignedBlock<Lanes>& block_;
    int column_;
    Taker& taker_;
    SlidingSquares<Lanes> squares_;
};

/// By strips, and few columns that are left over one position at a time, by ssd().
template <class Lanes, auto ssd, class Taker>
void measure_ssds(const Byte* current, Stride current_stride, int width, int height, const PositionRectangle& r,
                  Taker& taker) {
    constexpr int few = Lanes::positions / 8;
    const SignedBlock<Lanes> block(current, current_stride, width, height);
    int strips = strips_of(r.columns, Lanes::positions, few);
    measure_singly<ssd>(current, current_stride, width, height, r, strips * Lanes::positions, taker);
    while (--strips >= 0)
        Strip<Lanes, Taker>(r, block, strips * Lanes::positions, taker).measure();
}

} // namespace

} // namespace tandem
