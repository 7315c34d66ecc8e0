// SPDX-License-Identifier: BSD-2-Clause
// What can be known of the tables without a decoder: that codes are apart, how much of the code space they leave, and
// single entries. decoders_test.cpp has other programs read every row.
#include <gtest/gtest.h>

#include <set>

#include "bitstream/mpeg/vlc_tables.h"
#include "tests/bitstream/bit_reader.h"

namespace tandem::test {
namespace {

struct Codes {
    VlcTree tree;         ///< Throws where a code begins another.
    int unused = 1 << 17; ///< Of the code space, in units of 2^-17.
    void add(VlcCode code) {
        ASSERT_GE(code.length, 1);
        ASSERT_LE(code.length, 17);
        ASSERT_LT(code.bits, 1 << code.length);
        ASSERT_NO_THROW(tree.add(code, 0));
        unused -= (1 << 17) >> code.length;
    }
    void add(std::span<const VlcRow> rows) {
        for (const VlcRow& row : rows)
            add(row.code);
    }
    void add(std::span<const MacroblockTypeRow> rows) {
        for (const MacroblockTypeRow& row : rows)
            add(row.code);
    }
    /// With both signs.
    void add(std::span<const RunLevelRow> rows) {
        for (const RunLevelRow& row : rows) {
            for (const int sign : {0, 1}) {
                add(VlcCode{static_cast<std::uint16_t>(row.code.bits * 2 + sign),
                            static_cast<std::uint8_t>(row.code.length + 1)});
            }
        }
    }
};

/// 2^-length in the unit of Codes::unused.
constexpr int share(int length) { return (1 << 17) >> length; }

TEST(VlcTables, AddressIncrement) {
    Codes codes;
    codes.add(table_b1);
    codes.add(macroblock_escape);
    codes.add(macroblock_stuffing);
    // Below 0000 0011: two of the eight codes of 11 bits under 0000 0001, nothing under 0000 0010 and 0000 0000.
    EXPECT_EQ(codes.unused, 3 * share(8) - 2 * share(11));
    ASSERT_EQ(std::size(table_b1), 33U);
    for (int i = 0; i < 33; ++i)
        EXPECT_EQ(table_b1[i].value, i + 1);
    EXPECT_EQ(table_b1[0].code, vlc("1"));
    EXPECT_EQ(table_b1[15].code, vlc("0000 0101 11"));
    EXPECT_EQ(table_b1[32].code, vlc("0000 0011 000"));
}

TEST(VlcTables, MacroblockTypes) {
    Codes intra, predicted, bidirectional;
    intra.add(table_b2);
    predicted.add(table_b3);
    bidirectional.add(table_b4);
    EXPECT_EQ(intra.unused, share(2));
    EXPECT_EQ(predicted.unused, share(6));
    EXPECT_EQ(bidirectional.unused, share(6));
    // Intra alone has neither vectors nor a pattern; a quantiser change needs coefficients to quantise.
    for (const auto rows : {std::span<const MacroblockTypeRow>(table_b2), std::span<const MacroblockTypeRow>(table_b3),
                            std::span<const MacroblockTypeRow>(table_b4)}) {
        std::set<int> kinds;
        for (const MacroblockTypeRow& row : rows) {
            EXPECT_TRUE(row.flags == mb_intra || (row.flags & mb_intra) == 0);
            EXPECT_TRUE(!row.quant || row.pattern || row.flags == mb_intra);
            EXPECT_FALSE(row.pattern && row.flags == mb_intra);
            EXPECT_TRUE(kinds.insert(row.flags * 4 + row.pattern * 2 + row.quant).second);
        }
    }
}

TEST(VlcTables, CodedBlockPattern) {
    Codes codes;
    codes.add(table_b9);
    EXPECT_EQ(codes.unused, share(9));
    std::set<int> patterns;
    for (const VlcRow& row : table_b9)
        patterns.insert(row.value);
    EXPECT_EQ(patterns.size(), 64U);
    EXPECT_EQ(*patterns.begin(), 0);
    EXPECT_EQ(*patterns.rbegin(), 63);
    EXPECT_EQ(table_b9[0].value, 60);
    EXPECT_EQ(table_b9[0].code, vlc("111"));
}

TEST(VlcTables, MotionCode) {
    Codes codes;
    codes.add(table_b10);
    EXPECT_EQ(codes.unused, 3 * share(8));
    ASSERT_EQ(std::size(table_b10), 33U);
    for (int i = 0; i < 33; ++i)
        EXPECT_EQ(table_b10[i].value, i - 16);
    // The two signs of a code differ in its last bit, 1 for negative.
    for (int code = 1; code <= 16; ++code) {
        EXPECT_EQ(table_b10[16 - code].code.bits, table_b10[16 + code].code.bits + 1);
        EXPECT_EQ(table_b10[16 - code].code.length, table_b10[16 + code].code.length);
    }
}

TEST(VlcTables, DcSizes) {
    for (const auto rows : {std::span<const VlcRow>(table_b12), std::span<const VlcRow>(table_b13)}) {
        Codes codes;
        codes.add(rows);
        EXPECT_EQ(codes.unused, 0);
        ASSERT_EQ(rows.size(), 12U);
        for (int i = 0; i < 12; ++i)
            EXPECT_EQ(rows[static_cast<std::size_t>(i)].value, i);
    }
    EXPECT_EQ(table_b12[1].code, vlc("00"));
    EXPECT_EQ(table_b13[1].code, vlc("01"));
}

TEST(VlcTables, Coefficients) {
    Codes zero, one;
    zero.add(table_b14);
    zero.add(table_b14_end_of_block);
    zero.add(coefficient_escape);
    EXPECT_EQ(zero.unused, share(12)); // What begins with 12 zero bits would be near a start code.
    one.add(table_b15);
    one.add(table_b15_end_of_block);
    one.add(coefficient_escape);
    EXPECT_EQ(one.unused, 9 * share(12)); // Those, and what six runs of 12 and four of 13 bits had in table zero.

    std::set<int> in_zero, in_one;
    for (const RunLevelRow& row : table_b14)
        in_zero.insert(row.run * 64 + row.level);
    for (const RunLevelRow& row : table_b15)
        in_one.insert(row.run * 64 + row.level);
    EXPECT_EQ(in_zero.size(), 111U);
    EXPECT_EQ(in_zero, in_one);
    // Every run's levels go from 1 to the run's largest.
    constexpr std::array<int, 32> most_level = {40, 18, 5, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                                2,  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int run = 0; run < 32; ++run) {
        for (int level = 1; level <= 41; ++level) {
            EXPECT_EQ(in_zero.contains(run * 64 + level), level <= most_level[static_cast<std::size_t>(run)]);
        }
    }
}

TEST(VlcTables, LongerCodesForLongerRunsAndLargerLevels) {
    const auto length = [](int run, int level) {
        for (const RunLevelRow& row : table_b14) {
            if (row.run == run && row.level == level) return static_cast<int>(row.code.length);
        }
        return 0;
    };
    for (int level = 2; level <= 40; ++level)
        EXPECT_GE(length(0, level), length(0, level - 1));
    for (int level = 2; level <= 18; ++level)
        EXPECT_GE(length(1, level), length(1, level - 1));
    for (int run = 1; run <= 31; ++run)
        EXPECT_GE(length(run, 1), length(run - 1, 1));
}

TEST(VlcTree, RefusesCodesThatAreNotApart) {
    VlcTree tree;
    tree.add(vlc("01"), 1);
    EXPECT_THROW(tree.add(vlc("011"), 2), std::logic_error);
    EXPECT_THROW(tree.add(vlc("0"), 2), std::logic_error);
    EXPECT_THROW(tree.add(vlc("01"), 2), std::logic_error);
    EXPECT_NO_THROW(tree.add(vlc("00"), 2));
}

} // namespace
} // namespace tandem::test
