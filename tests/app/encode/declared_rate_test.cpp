// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/declared_rate.h"

#include <gtest/gtest.h>

namespace tandem {
namespace {

/// 400 kbit/s at 25 pictures a second, 2,000 bytes for each, and a buffer of 4,096 bytes.
constexpr StreamPromise small_promise{400000, 2 * 16384, 0};

std::string warning_of(const StreamPromise& promise, const std::vector<std::uint64_t>& sizes,
                       Rational frame_rate = {25, 1}) {
    DeclaredRate rate(promise, frame_rate);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        rate.add(sizes[i], static_cast<std::int64_t>(i) + 100);
    return rate.warning();
}

TEST(DeclaredRate, WhatFitsIsNotSpokenOf) {
    EXPECT_EQ(warning_of(small_promise, {}), "");
    EXPECT_EQ(warning_of(small_promise, {4096, 2000, 2000, 100, 3900, 2000}), "");
}

TEST(DeclaredRate, ABufferThatIsFullTakesNoMore) {
    const std::string warning = warning_of(small_promise, {0, 0, 0, 0, 4097});
    EXPECT_TRUE(warning.starts_with("1 of 5 pictures, the first of them number 104, ")) << warning;
    EXPECT_NE(warning.find("400 kbit/s"), std::string::npos) << warning;
}

TEST(DeclaredRate, ABurstThatTheMeanHidesIsSeen) {
    std::vector<std::uint64_t> sizes(200, 10);
    sizes[150] = sizes[151] = sizes[152] = 4000;
    const std::string warning = warning_of(small_promise, sizes);
    EXPECT_TRUE(warning.starts_with("2 of 200 pictures, the first of them number 251, ")) << warning;
}

TEST(DeclaredRate, AtTwiceTheFrameRateAPictureBringsHalf) {
    const auto warning = [](const std::vector<std::uint64_t>& sizes) {
        return warning_of(small_promise, sizes, {50, 1});
    };
    EXPECT_EQ(warning({4096, 1000, 1000}), "");
    EXPECT_TRUE(warning({4096, 1000, 1001}).starts_with("1 of 3 pictures, the first of them number 102, "));
}

TEST(DeclaredRate, AStreamMayDeclareNoRate) {
    EXPECT_EQ(warning_of({0, 2 * 16384, 0}, {100000000}), "");
    EXPECT_NE(warning_of({0x3FFFF * 400, 2 * 16384, 0}, {100000000}), "");
}

} // namespace
} // namespace tandem
