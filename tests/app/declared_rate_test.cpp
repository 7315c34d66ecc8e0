// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/declared_rate.h"

#include <gtest/gtest.h>

namespace tandem {
namespace {

/// 400 kbit/s at 25 pictures a second, 2,000 bytes for each, and a buffer of 4,096 bytes.
MpegSequence small_sequence() {
    MpegSequence sequence;
    sequence.bit_rate = 1000;
    sequence.vbv_buffer_size = 2;
    return sequence;
}

std::string warning_of(const MpegSequence& sequence, Codec codec, const std::vector<std::uint64_t>& sizes,
                       Rational frame_rate = {25, 1}) {
    DeclaredRate rate(sequence, codec, frame_rate);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        rate.add(sizes[i], static_cast<std::int64_t>(i) + 100);
    return rate.warning();
}

TEST(DeclaredRate, WhatFitsIsNotSpokenOf) {
    EXPECT_EQ(warning_of(small_sequence(), Codec::mpeg2, {}), "");
    EXPECT_EQ(warning_of(small_sequence(), Codec::mpeg2, {4096, 2000, 2000, 100, 3900, 2000}), "");
}

TEST(DeclaredRate, ABufferThatIsFullTakesNoMore) {
    const std::string warning = warning_of(small_sequence(), Codec::mpeg2, {0, 0, 0, 0, 4097});
    EXPECT_TRUE(warning.starts_with("1 of 5 pictures, the first of them number 104, ")) << warning;
    EXPECT_NE(warning.find("400 kbit/s"), std::string::npos) << warning;
}

TEST(DeclaredRate, ABurstThatTheMeanHidesIsSeen) {
    std::vector<std::uint64_t> sizes(200, 10);
    sizes[150] = sizes[151] = sizes[152] = 4000;
    const std::string warning = warning_of(small_sequence(), Codec::mpeg2, sizes);
    EXPECT_TRUE(warning.starts_with("2 of 200 pictures, the first of them number 251, ")) << warning;
}

TEST(DeclaredRate, AtTwiceTheFrameRateAPictureBringsHalf) {
    const auto warning = [](const std::vector<std::uint64_t>& sizes) {
        return warning_of(small_sequence(), Codec::mpeg2, sizes, {50, 1});
    };
    EXPECT_EQ(warning({4096, 1000, 1000}), "");
    EXPECT_TRUE(warning({4096, 1000, 1001}).starts_with("1 of 3 pictures, the first of them number 102, "));
}

TEST(DeclaredRate, Mpeg1MayDeclareNoRate) {
    MpegSequence sequence = small_sequence();
    sequence.bit_rate = 0x3FFFF;
    EXPECT_EQ(warning_of(sequence, Codec::mpeg1, {100000000}), "");
    EXPECT_NE(warning_of(sequence, Codec::mpeg2, {100000000}), "") << "in MPEG-2 these are 18 bits of 30";
}

} // namespace
} // namespace tandem
