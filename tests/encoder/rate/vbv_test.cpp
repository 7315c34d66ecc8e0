// SPDX-License-Identifier: BSD-2-Clause
// The buffer by examples that are worked out by hand.
#include "encoder/rate/vbv.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace tandem {
namespace {

/// 400 kbit/s at 25 pictures a second, 16,000 bits for each, and a buffer of 32,768 bits, full.
VbvDescription small_buffer() { return {400000, 32768, 32768, {25, 1}, false}; }

TEST(Vbv, APictureMayHaveWhatIsThere) {
    Vbv vbv(small_buffer());
    EXPECT_EQ(vbv.fullness(), 32768);
    EXPECT_TRUE(vbv.take(32768));
    EXPECT_EQ(vbv.fullness(), 16000);
    EXPECT_TRUE(vbv.take(16000));
    EXPECT_FALSE(vbv.take(16001));
    EXPECT_EQ(vbv.fullness(), 16000) << "the decoder waits for a late picture, and no longer";
}

TEST(Vbv, WhatPausesNeverOverflows) {
    Vbv vbv(small_buffer());
    EXPECT_TRUE(vbv.take(1000));
    EXPECT_EQ(vbv.fullness(), 32768);
    EXPECT_EQ(vbv.least(), 0);
    EXPECT_EQ(vbv.makes_room(), 16000) << "what else would not arrive";
}

TEST(Vbv, AConstantRateAsksForPicturesThatMakeRoom) {
    VbvDescription description = small_buffer();
    description.constant_rate = true;
    description.initial_bits = 20000;
    Vbv vbv(description);
    EXPECT_EQ(vbv.least(), 20000 + 16000 - 32768);
    vbv.take(vbv.least());
    EXPECT_EQ(vbv.fullness(), 32768);
    EXPECT_EQ(vbv.least(), 16000);
    vbv.take(30000);
    EXPECT_EQ(vbv.fullness(), 2768 + 16000);
    EXPECT_EQ(vbv.least(), 2768 + 16000 + 16000 - 32768);
    EXPECT_EQ(vbv.stuffing_bytes(0), 250U);
    EXPECT_EQ(vbv.stuffing_bytes(1993), 1U) << "whole bytes";
    EXPECT_EQ(vbv.stuffing_bytes(2000), 0U);
    EXPECT_EQ(vbv.stuffing_bytes(16000), 0U);
}

TEST(Vbv, FractionsOfABitAreKept) {
    Vbv vbv({1000000, 100000, 0, {30000, 1001}, true}); // 33,366 2/3 bits a picture
    std::int64_t taken = 0;
    for (int picture = 0; picture < 30030; ++picture) {
        taken += vbv.fullness();
        ASSERT_TRUE(vbv.take(vbv.fullness()));
    }
    EXPECT_EQ(taken + vbv.fullness(), 1002001000) << "1,002.001 seconds";
}

TEST(Vbv, TheDelayIsTheTimeOfTheBitsBehindTheStartCode) {
    const Vbv vbv({1000000, 500000, 250000, {25, 1}, true});
    EXPECT_EQ(vbv.delay(0), 22500);
    EXPECT_EQ(vbv.delay(1000), 22410);
    EXPECT_EQ(vbv.delay(250000), 0);
    EXPECT_EQ(vbv.delay(300000), 0);
    EXPECT_EQ(Vbv({1000, 500000, 250000, {25, 1}, true}).delay(0), 0xFFFE);
}

TEST(Vbv, KeepsBetweenItsBoundsWhateverIsTaken) {
    std::mt19937 random(5);
    Vbv vbv({1500000, 327680, 300000, {24000, 1001}, true});
    for (int picture = 0; picture < 10000; ++picture) {
        const std::int64_t least = vbv.least(), most = vbv.fullness();
        ASSERT_LE(least, most);
        ASSERT_TRUE(vbv.take(least + static_cast<std::int64_t>(random()) % (most - least + 1)));
        ASSERT_LE(vbv.fullness(), 327680);
    }
}

TEST(Vbv, RefusesWhatIsNoBuffer) {
    EXPECT_THROW(Vbv({0, 1, 1, {25, 1}}), std::invalid_argument);
    EXPECT_THROW(Vbv({1, 0, 0, {25, 1}}), std::invalid_argument);
    EXPECT_THROW(Vbv({1, 1, 2, {25, 1}}), std::invalid_argument);
    EXPECT_THROW(Vbv({1, 1, 1, {0, 1}}), std::invalid_argument);
}

} // namespace
} // namespace tandem
