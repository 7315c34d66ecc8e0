// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/bit_writer.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace tandem::test {
namespace {

std::vector<std::uint8_t> written(BitWriter& out) {
    const auto bytes = out.bytes();
    return {bytes.begin(), bytes.end()};
}

/// The obvious writer: a bit at a time.
struct SlowWriter {
    std::vector<std::uint8_t> bytes;
    int bits = 0;
    void put(std::uint64_t value, int count) {
        for (int bit = count - 1; bit >= 0; --bit, ++bits) {
            if (bits % 8 == 0) bytes.push_back(0);
            bytes.back() = static_cast<std::uint8_t>(bytes.back() | (((value >> bit) & 1) << (7 - bits % 8)));
        }
    }
};

TEST(BitWriter, MostSignificantBitFirst) {
    BitWriter out;
    out.put(1, 1);
    out.put(0, 0);
    out.put(2, 3);
    EXPECT_EQ(out.bit_count(), 4U);
    out.put(0x5A5A5A5A, 32);
    EXPECT_EQ(out.bit_count(), 36U);
    EXPECT_EQ(written(out), (std::vector<std::uint8_t>{0xA5, 0xA5, 0xA5, 0xA5, 0xA0}));
    EXPECT_EQ(out.bit_count(), 40U); // bytes() aligned it.
}

TEST(BitWriter, EqualsABitAtATime) {
    std::mt19937 random(5);
    for (int repeat = 0; repeat < 20; ++repeat) {
        BitWriter out;
        SlowWriter slow;
        for (int i = 0; i < 3000; ++i) {
            const int count = static_cast<int>(random() % 33);
            const auto value = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << count) - 1));
            out.put(value, count);
            slow.put(value, count);
            ASSERT_EQ(out.bit_count(), static_cast<std::uint64_t>(slow.bits));
        }
        ASSERT_EQ(written(out), slow.bytes);
    }
}

TEST(BitWriter, BurstsOfUpTo56BitsAmongOtherCalls) {
    std::mt19937_64 random(6);
    BitWriter out;
    SlowWriter slow;
    for (int repeat = 0; repeat < 500; ++repeat) {
        const int calls = static_cast<int>(random() % 50);
        {
            BitWriter::Burst burst(out, 50 * 7);
            for (int i = 0; i < calls; ++i) {
                const int count = 1 + static_cast<int>(random() % 56);
                const std::uint64_t value = random() & ((std::uint64_t{1} << count) - 1);
                burst.put(value, count);
                slow.put(value, count);
            }
        }
        ASSERT_EQ(out.bit_count(), static_cast<std::uint64_t>(slow.bits));
        out.put(5, 3);
        slow.put(5, 3);
    }
    EXPECT_EQ(written(out), slow.bytes);
}

TEST(BitWriter, StartCodesAreAligned) {
    BitWriter out;
    out.put(1, 1);
    out.start_code(0xB3);
    out.start_code(0x01);
    EXPECT_EQ(written(out), (std::vector<std::uint8_t>{0x80, 0, 0, 1, 0xB3, 0, 0, 1, 0x01}));
}

TEST(BitWriter, AppendsWholeBytes) {
    BitWriter out;
    const std::vector<std::uint8_t> more = {1, 2, 3, 4, 5};
    out.append(more);
    out.put(0xAB, 8);
    out.append(more);
    out.append({});
    EXPECT_EQ(written(out), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 0xAB, 1, 2, 3, 4, 5}));
    const std::vector<std::uint8_t> large(100'000, 7);
    out.append(large);
    EXPECT_EQ(out.bytes().size(), 100'011U);
    EXPECT_EQ(out.bytes().back(), 7);
}

TEST(BitWriter, RefusesToAppendInTheMiddleOfAByte) {
    BitWriter out;
    const std::vector<std::uint8_t> more = {1};
    out.put(1, 3);
    EXPECT_THROW(out.append(more), std::invalid_argument);
    EXPECT_EQ(out.bit_count(), 3U);
    out.align();
    EXPECT_NO_THROW(out.append(more));
}

TEST(BitWriter, ClearedItBeginsAnew) {
    BitWriter out;
    EXPECT_TRUE(out.bytes().empty());
    out.put(0x7F, 7);
    out.clear();
    EXPECT_EQ(out.bit_count(), 0U);
    EXPECT_TRUE(out.bytes().empty());
    out.put(1, 2);
    EXPECT_EQ(written(out), (std::vector<std::uint8_t>{0x40}));
}

} // namespace
} // namespace tandem::test
