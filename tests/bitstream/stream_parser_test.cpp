// SPDX-License-Identifier: BSD-2-Clause
// The parser notices what is wrong: tests that rest on it would else prove nothing.
#include "tests/bitstream/stream_parser.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/bitstream/random_stream.h"

namespace tandem::test {
namespace {

constexpr std::size_t sequence_bytes = 12; ///< Of an MPEG-1 sequence header without matrices.

RandomStream small_stream(int width = 64, int height = 32) {
    return random_stream({.mpeg1 = true, .width = width, .height = height, .tools = false, .types = "IPB", .seed = 4});
}

std::vector<std::uint8_t> bytes_of(const RandomStream& stream) { return write_stream(stream, *make_mpeg1_writer()); }

TEST(StreamParser, ReadsOnlyWholeStreams) {
    const auto bytes = bytes_of(small_stream(32, 16));
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        try {
            accepted += parse_stream(std::span(bytes).first(size)).pictures.size() < 3 ? 1 : 100;
        } catch (const ParseError&) {
            continue;
        }
    }
    // Behind the sequence, the group and two pictures, and behind the third, where only sequence_end_code is missing;
    // each also with one and two zero bytes of the start code that follows.
    EXPECT_EQ(accepted, 4 * 3 + 3 * 100U);
}

TEST(StreamParser, SurvivesFlippedBits) {
    const auto bytes = bytes_of(small_stream(32, 16));
    std::mt19937 random(8);
    int refused = 0;
    for (int repeat = 0; repeat < 1000; ++repeat) {
        auto broken = bytes;
        const std::size_t bit = sequence_bytes * 8 + random() % ((bytes.size() - sequence_bytes) * 8);
        broken[bit / 8] = static_cast<std::uint8_t>(broken[bit / 8] ^ (0x80 >> (bit % 8)));
        try {
            parse_stream(broken);
        } catch (const ParseError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 300);
    EXPECT_LT(refused, 1000);
}

TEST(StreamParser, CountsStuffingAndRefusesOtherBytes) {
    const RandomStream stream = small_stream();
    auto bytes = bytes_of(stream);
    const std::size_t picture = parse_stream(bytes).pictures[1].offset;
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(picture), {0, 0, 0});
    EXPECT_EQ(parse_stream(bytes).stuffing_bytes, 3U);
    bytes[picture] = 4;
    EXPECT_THROW(parse_stream(bytes), ParseError);
}

TEST(StreamParser, WantsEveryMacroblockOnce) {
    const auto write = [](auto order) {
        RandomStream stream = small_stream();
        stream.pictures.resize(1);
        MpegPicture& picture = stream.pictures[0];
        picture.slices = {{0, 3}, {3, 4}, {4, 8}};
        order(picture.slices);
        return bytes_of(stream);
    };
    EXPECT_NO_THROW(parse_stream(write([](auto&) {})));
    EXPECT_THROW(parse_stream(write([](auto& slices) { slices.pop_back(); })), ParseError);
    EXPECT_THROW(parse_stream(write([](auto& slices) { slices.erase(slices.begin()); })), ParseError);
    EXPECT_THROW(parse_stream(write([](auto& slices) { slices.erase(slices.begin() + 1); })), ParseError);
    EXPECT_THROW(parse_stream(write([](auto& slices) { slices.insert(slices.begin(), slices[0]); })), ParseError);
    EXPECT_THROW(parse_stream(write([](auto& slices) { std::swap(slices[0], slices[1]); })), ParseError);
    EXPECT_THROW(parse_stream(write([](auto& slices) { slices.clear(); })), ParseError);
}

TEST(StreamParser, SaysWhereThingsAre) {
    const auto bytes = bytes_of(small_stream());
    const ParsedStream parsed = parse_stream(bytes);
    ASSERT_EQ(parsed.pictures.size(), 3U);
    EXPECT_EQ(parsed.sequence_offsets, std::vector<std::size_t>{0});
    EXPECT_EQ(parsed.groups[0].offset, sequence_bytes);
    EXPECT_EQ(parsed.pictures[0].offset, sequence_bytes + 8);
    for (std::size_t i = 0; i < 3; ++i) {
        const ParsedPicture& picture = parsed.pictures[i];
        EXPECT_EQ(bytes[picture.offset + 3], 0);
        EXPECT_EQ(picture.offset + picture.bytes, i < 2 ? parsed.pictures[i + 1].offset : bytes.size() - 4);
        EXPECT_EQ(picture.group, 0U);
        EXPECT_EQ(picture.slice_quantiser.size(), picture.code.slices.size());
    }
}

} // namespace
} // namespace tandem::test
