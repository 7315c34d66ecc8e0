// SPDX-License-Identifier: BSD-2-Clause
// Rectangles of positions, what becomes of their distortions, and measuring one position after another. For files of
// one instruction set too: nothing here has a name outside the file that includes it. What takes distortions has
//   wants(row)                                     whether any of that row can be of use,
//   take(distortions, count, column, row)          those of a row that it wants, from a column on,
//   take_column(distortions, count, column, row)   those of a column, from a row on, whether it wants those or not,
//   take_one(distortion, column, row)              the same of one.
#pragma once

#include "me/kernels/positions.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

constexpr int largest_block = 128;

struct PositionRectangle {
    const Byte* reference; ///< Of the first.
    Stride stride;
    int columns, rows;
};

/// Keeps the positions that are good enough for their row (see RectangleWithin).
class Within {
  public:
    Within(const std::int32_t* limits, MeasuredPosition* found) : limits_(limits), end_(found) {}

    bool wants(int row) const { return limits_[row] >= 0; }
    std::int32_t limit(int row) const { return limits_[row]; }
    void take_one(std::uint32_t distortion, int column, int row) {
        const std::int32_t limit = limits_[row];
        *end_ = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)}, distortion};
        end_ += limit >= 0 && distortion <= static_cast<std::uint32_t>(limit);
    }
    void take(const std::uint32_t* distortions, int count, int column, int row) {
        const auto limit = static_cast<std::uint32_t>(limits_[row]);
        std::uint32_t least = UINT32_MAX;
        for (int i = 0; i < count; ++i)
            least = distortions[i] < least ? distortions[i] : least;
        if (least > limit) return; // As mostly.
        MeasuredPosition* end = end_;
        for (int i = 0; i < count; ++i) {
            *end = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, distortions[i]};
            end += distortions[i] <= limit;
        }
        end_ = end;
    }
    void take_column(const std::uint32_t* distortions, int count, int column, int row) {
        int any = 0;
        for (int i = 0; i < count; ++i)
            any |= static_cast<std::int32_t>(distortions[i]) <= limits_[row + i];
        if (any == 0) return; // As mostly.
        for (int i = 0; i < count; ++i)
            take_one(distortions[i], column, row + i);
    }
    /// What is good enough for certain.
    void keep(std::uint32_t distortion, int column, int row) {
        *end_++ = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)}, distortion};
    }
    /// How many since the first.
    int count_from(const MeasuredPosition* first) const { return static_cast<int>(end_ - first); }

  private:
    const std::int32_t* limits_;
    MeasuredPosition* end_; ///< Where the next one goes.
};

/// Writes every distortion, in rows (see AllOfRectangle).
template <class Distortion> struct Everything {
    Distortion* first;
    Stride row_length;

    Distortion* at(int column, int row) const { return first + row * row_length + column; }
    static constexpr bool wants(int) { return true; }
    void take_one(std::uint32_t distortion, int column, int row) const {
        *at(column, row) = static_cast<Distortion>(distortion);
    }
    void take(const std::uint32_t* distortions, int count, int column, int row) const {
        Distortion* to = at(column, row);
        for (int i = 0; i < count; ++i)
            to[i] = static_cast<Distortion>(distortions[i]);
    }
    void take_column(const std::uint32_t* distortions, int count, int column, int row) const {
        for (int i = 0; i < count; ++i)
            take_one(distortions[i], column, row + i);
    }
};

/// How many strips of `width` columns it takes until at most `few` are left. They are measured from the right: what is
/// written beyond the end of a row is in the next one where a strip further left still comes.
inline int strips_of(int columns, int width, int few) {
    return columns > few ? (columns - few + width - 1) / width : 0;
}

/// The columns from one on, by measure().
template <auto measure, class Taker>
void measure_singly(const Byte* current, Stride current_stride, int width, int height, const PositionRectangle& r,
                    int first_column, Taker& taker) {
    for (int row = 0; row < r.rows; ++row) {
        if (!taker.wants(row)) continue;
        for (int column = first_column; column < r.columns; ++column) {
            const Byte* there = r.reference + row * r.stride + column;
            taker.take_one(measure(current, current_stride, there, r.stride, width, height), column, row);
        }
    }
}

} // namespace

} // namespace tandem
