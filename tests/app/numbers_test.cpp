// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/numbers.h"

#include <gtest/gtest.h>

#include "machine/errors.h"

namespace tandem {
namespace {

TEST(Numbers, WholeNumbersInsideTheirLimits) {
    EXPECT_EQ(parse_integer("--n", "0", 0, 9), 0);
    EXPECT_EQ(parse_integer("--n", "-5", -5, 9), -5);
    EXPECT_EQ(parse_integer("--n", "9", 0, 9), 9);
    for (const char* text : {"", "-", "-1", "10", "+1", " 1", "1 ", "01", "-01", "00", "1.0", "1e0", "0x1", "nan", "١"})
        EXPECT_THROW(parse_integer("--n", text, 0, 9), InputError) << text;
}

TEST(Numbers, MessagesNameOptionValueAndLimit) {
    try {
        parse_integer("--qp", "77", 1, 31);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "--qp 77: must be a whole number from 1 to 31");
    }
}

TEST(Numbers, RealsAreFinite) {
    EXPECT_EQ(parse_real("--f", "0.25", 0, 10), 0.25);
    EXPECT_EQ(parse_real("--f", "1e1", 0, 10), 10);
    for (const char* text : {"nan", "inf", "-inf", "1e999", "1e", ".", "", "0,5", "00.5", "10.1"})
        EXPECT_THROW(parse_real("--f", text, 0, 10), InputError) << text;
}

TEST(Numbers, RatiosSizesAndPairs) {
    EXPECT_EQ(parse_ratio("--fps", "30000/1001"), (Rational{30000, 1001}));
    EXPECT_EQ(parse_ratio("--fps", "29.97"), (Rational{30000, 1001})) << "the rate of the standard that is meant";
    EXPECT_EQ(parse_ratio("--fps", "23.976"), (Rational{24000, 1001}));
    EXPECT_EQ(parse_ratio("--fps", "12.50"), (Rational{25, 2}));
    EXPECT_EQ(parse_ratio("--fps", "7.5"), (Rational{15, 2}));
    EXPECT_EQ(parse_ratio("--fps", "23.98"), (Rational{24000, 1001}));
    EXPECT_EQ(parse_ratio("--fps", "119.88"), (Rational{120000, 1001}));
    EXPECT_EQ(parse_ratio("--fps", "14.985"), (Rational{15000, 1001}));
    EXPECT_EQ(parse_ratio("--fps", "25"), (Rational{25, 1}));
    EXPECT_EQ(parse_ratio("--fps", "0.0001"), (Rational{1, 10000}));
    EXPECT_EQ(parse_ratio("--fps", "120000/9009"), (Rational{40000, 3003}));
    for (const char* text : {"", "/", "1/", "/1", "0", "1/0", "25.", ".5", "1.2.3", "25.0/1", "0.0", "999999.999999",
                             "1/2/3", "-25", "-0.5", "99999999999"})
        EXPECT_THROW(parse_ratio("--fps", text), InputError) << text;
    EXPECT_EQ(parse_size("--size", "352x288", 1, 16384), (std::pair{352, 288}));
    for (const char* text : {"", "x", "352", "352x", "x288", "352X288", "0x1", "16385x1", "1x1x1", "-1x1", "1x-1"})
        EXPECT_THROW(parse_size("--size", text, 1, 16384), InputError) << text;
    EXPECT_THROW(parse_size("--block", "16x3", 4, 128), InputError);
    EXPECT_THROW(parse_size("--block", "129x4", 4, 128), InputError);
    EXPECT_EQ(parse_pair("--speed", "-1.5,0.75", -2, 2), (std::pair{-1.5, 0.75}));
    for (const char* text : {"", ",", "1", "1,", ",1", "nan,0", "0,nan", "3,0", "0,-3", "inf,0", "1,1,1"})
        EXPECT_THROW(parse_pair("--speed", text, -2, 2), InputError) << text;
}

TEST(Numbers, RangesAreOneNumberTwoOrThePicture) {
    EXPECT_EQ(parse_range("--range", "16", 0, 4080), (std::pair{16, 16}));
    EXPECT_EQ(parse_range("--range", "64,0", 0, 4080), (std::pair{64, 0}));
    EXPECT_EQ(parse_range("--range", "picture", 0, 4080), std::nullopt);
    for (const char* text :
         {"", ",", "16,", ",16", "16,16,16", "-1", "4081", "1,4081", "1.5", "16x16", "pictures", "nan"})
        EXPECT_THROW(parse_range("--range", text, 0, 4080), InputError) << text;
}

TEST(Numbers, TimesAreSecondsMinutesAndHours) {
    EXPECT_EQ(parse_time("--duration", "90"), 90);
    EXPECT_EQ(parse_time("--duration", "12.5"), 12.5);
    EXPECT_EQ(parse_time("--duration", "1:23.5"), 83.5);
    EXPECT_EQ(parse_time("--duration", "01:02:03"), 3723);
    for (const char* text :
         {"", ":", "1:", ":1", "1:60", "1:2:3:4", "1.5:3", "-1", "+1", "1e3", "nan", "1 ", "0x1", "1:-2"})
        EXPECT_THROW(parse_time("--duration", text), InputError) << text;
}

TEST(Numbers, APlaceIsPicturesOrATime) {
    EXPECT_EQ(parse_place("--seek", "30", 100).pictures, 30);
    EXPECT_EQ(parse_place("--seek", "30", 100).seconds, 0);
    EXPECT_EQ(parse_place("--seek", "0:30", 100).seconds, 30);
    EXPECT_EQ(parse_place("--seek", "30.0", 100).seconds, 30);
    EXPECT_EQ(parse_place("--seek", "30.0", 100).pictures, 0);
    for (const char* text : {"", "-1", "101", "030", "x"})
        EXPECT_THROW(parse_place("--seek", text, 100), InputError) << text;
}

TEST(Numbers, AnAspectHasTwoNumbers) {
    EXPECT_EQ(parse_aspect("--aspect", "16:9"), (Rational{16, 9}));
    EXPECT_EQ(parse_aspect("--sar", "40/33"), (Rational{40, 33}));
    for (const char* text : {"", "16", "16:", ":9", "0:1", "1:0", "16:9:1", "1.5:1", "100001:1"})
        EXPECT_THROW(parse_aspect("--aspect", text), InputError) << text;
}

} // namespace
} // namespace tandem
