// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "coding/mpeg/slice_layout.h"

namespace tandem {
namespace {

constexpr int last_start_row = 174; // slice_start_code 0xAF, counted from row 0.

void check_covers(const std::vector<SliceExtent>& layout, int macroblocks) {
    int next = 0;
    for (const SliceExtent& slice : layout) {
        ASSERT_EQ(slice.first, next);
        ASSERT_GT(slice.end, slice.first);
        next = slice.end;
    }
    ASSERT_EQ(next, macroblocks);
}

/// Slices that begin in each row.
std::vector<int> starts_by_row(const std::vector<SliceExtent>& layout, int columns, int rows) {
    std::vector<int> starts(static_cast<std::size_t>(rows));
    for (const SliceExtent& slice : layout)
        ++starts[static_cast<std::size_t>(slice.first / columns)];
    return starts;
}

void check_mpeg2(int columns, int rows, int slices) {
    SCOPED_TRACE(testing::Message() << columns << "x" << rows << ", " << slices << " slices");
    const std::vector<SliceExtent> layout = slice_layout(Codec::mpeg2, columns, rows, slices);
    check_covers(layout, columns * rows);
    EXPECT_EQ(static_cast<int>(layout.size()), slices == 0 ? rows : slices);
    for (const SliceExtent& slice : layout)
        EXPECT_EQ(slice.first / columns, (slice.end - 1) / columns) << "a slice crosses a row";
    const std::vector<int> starts = starts_by_row(layout, columns, rows);
    const auto [fewest, most] = std::minmax_element(starts.begin(), starts.end());
    EXPECT_GE(*fewest, 1);
    EXPECT_LE(*most - *fewest, 1);
}

void check_mpeg1(int columns, int rows, int slices) {
    SCOPED_TRACE(testing::Message() << columns << "x" << rows << ", " << slices << " slices");
    const std::vector<SliceExtent> layout = slice_layout(Codec::mpeg1, columns, rows, slices);
    check_covers(layout, columns * rows);
    for (const SliceExtent& slice : layout)
        EXPECT_LE(slice.first / columns, last_start_row) << "no start code says this row";
    const int wanted = slices == 0 ? rows : slices;
    if (rows <= last_start_row + 1) {
        EXPECT_EQ(static_cast<int>(layout.size()), wanted);
        int shortest = columns * rows, longest = 0;
        for (const SliceExtent& slice : layout) {
            shortest = std::min(shortest, slice.end - slice.first);
            longest = std::max(longest, slice.end - slice.first);
        }
        EXPECT_LE(longest - shortest, 1);
    } else {
        EXPECT_LE(static_cast<int>(layout.size()), wanted);
    }
}

TEST(SliceLayout, EveryShape) {
    for (const int columns : {1, 2, 5, 22, 45, 120}) {
        for (const int rows : {1, 2, 3, 18, 174, 175, 176, 177, 256}) {
            for (const int extra : {0, 1, 2, rows - 1, rows, 3 * rows + 1, columns * rows - rows}) {
                if (extra >= 0 && rows + extra <= columns * rows) check_mpeg2(columns, rows, rows + extra);
            }
            check_mpeg2(columns, rows, 0);
            for (const int slices : {0, 1, 2, 3, 7, rows, columns * rows}) {
                if (slices <= columns * rows) check_mpeg1(columns, rows, slices);
            }
        }
    }
}

TEST(SliceLayout, Mpeg1SpansRows) {
    const std::vector<SliceExtent> layout = slice_layout(Codec::mpeg1, 4, 3, 2);
    ASSERT_EQ(layout.size(), 2U);
    EXPECT_EQ(layout[0].end, 6);
    const std::vector<SliceExtent> whole = slice_layout(Codec::mpeg1, 22, 18, 1);
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(whole[0].end, 22 * 18);
}

TEST(SliceLayout, Mpeg1GivesWhatLiesBelowRow175ToItsLastSlice) {
    const std::vector<SliceExtent> layout = slice_layout(Codec::mpeg1, 1, 176, 0);
    ASSERT_EQ(layout.size(), 175U);
    EXPECT_EQ(layout.back().first, 174);
    EXPECT_EQ(layout.back().end, 176);
    EXPECT_EQ(slice_layout(Codec::mpeg2, 1, 176, 0).size(), 176U);
}

} // namespace
} // namespace tandem
