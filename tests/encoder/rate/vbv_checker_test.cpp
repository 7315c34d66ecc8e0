// SPDX-License-Identifier: BSD-2-Clause
// The checker itself, on streams of headers alone, which are right or wrong on purpose.
#include "tests/encoder/rate/vbv_checker.h"

#include <gtest/gtest.h>

#include "bitstream/bit_writer.h"
#include "bitstream/mpeg/mpeg_writer.h"

namespace tandem::test {
namespace {

/// 400 kbit/s at 25 pictures a second, 2,000 bytes for each, and a buffer of 4,096 bytes.
MpegSequence small_sequence() {
    MpegSequence sequence;
    sequence.width = sequence.height = 16;
    sequence.intra_matrix = default_intra_matrix();
    sequence.non_intra_matrix = default_non_intra_matrix();
    sequence.bit_rate = 1000;
    sequence.vbv_buffer_size = 2;
    return sequence;
}

struct Sized {
    std::size_t bytes = 0; ///< With the headers before it.
    int vbv_delay = 0xFFFF;
};

/// A stream whose pictures are headers and bytes that mean nothing.
std::vector<std::uint8_t> stream_of(const std::vector<Sized>& pictures, bool mpeg2 = true,
                                    const MpegSequence& sequence = small_sequence()) {
    const auto writer = mpeg2 ? make_mpeg2_writer() : make_mpeg1_writer();
    std::vector<std::uint8_t> stream;
    for (const Sized& picture : pictures) {
        BitWriter packet;
        if (stream.empty()) {
            writer->write_sequence(packet, sequence);
            writer->write_group(packet, {});
        }
        MpegPicture code;
        code.resize(1, 1);
        code.vbv_delay = picture.vbv_delay;
        writer->write_picture_header(packet, code);
        while (packet.bit_count() / 8 < picture.bytes)
            packet.put(0xFF, 8);
        const auto bytes = packet.bytes();
        stream.insert(stream.end(), bytes.begin(), bytes.end());
    }
    return stream;
}

BufferFindings findings_of(const std::vector<std::uint8_t>& stream) {
    return check_buffer(read_buffered_stream(stream));
}

using Pictures = std::vector<std::size_t>;

TEST(VbvChecker, ReadsSizesAndRates) {
    const BufferedStream stream = read_buffered_stream(stream_of({{300}, {2000}, {55}}));
    EXPECT_TRUE(stream.mpeg2);
    EXPECT_EQ(stream.bits_per_second, 400000);
    EXPECT_EQ(stream.buffer_bits, 32768);
    EXPECT_EQ(stream.pictures_per_second, 25);
    ASSERT_EQ(stream.pictures.size(), 3U);
    EXPECT_EQ(stream.pictures[0].bits, 2400);
    EXPECT_EQ(stream.pictures[1].bits, 16000);
    EXPECT_EQ(stream.pictures[2].bits, 440);
    EXPECT_EQ(stream.pictures[0].bits_to_start_code, 8 * (12 + 10 + 8 + 4)) << "both sequence headers and the group's";
    EXPECT_EQ(stream.pictures[1].bits_to_start_code, 32);
    EXPECT_EQ(stream.pictures[1].vbv_delay, 0xFFFF);
}

TEST(VbvChecker, ReadsTheExtensionsOfLargeValues) {
    MpegSequence sequence = small_sequence();
    sequence.bit_rate = (3U << 18) + 7;
    sequence.vbv_buffer_size = 5000;
    sequence.frame_rate_extension_n = 1;
    sequence.frame_rate_extension_d = 2;
    const BufferedStream stream = read_buffered_stream(stream_of({{300}}, true, sequence));
    EXPECT_EQ(stream.bits_per_second, 400.0 * ((3U << 18) + 7));
    EXPECT_EQ(stream.buffer_bits, 16384.0 * 5000);
    EXPECT_DOUBLE_EQ(stream.pictures_per_second, 25 * 2 / 3.0);
}

TEST(VbvChecker, AFullBufferHoldsWhatFitsIntoIt) {
    const BufferFindings found = findings_of(stream_of({{4096}, {2000}, {2000}, {100}, {3900}, {2000}}));
    EXPECT_EQ(text_of(found), "holds");
    EXPECT_EQ(found.lowest_bits, 0);
    EXPECT_FALSE(found.constant_rate);
}

TEST(VbvChecker, SeesAnUnderflowMadeOnPurpose) {
    EXPECT_EQ(findings_of(stream_of({{4097}, {1000}})).underflows, Pictures{0});
    const BufferFindings found = findings_of(stream_of({{4096}, {2001}, {2000}, {2000}, {2001}, {100}}));
    EXPECT_EQ(found.underflows, (Pictures{1, 4}));
    EXPECT_EQ(text_of(found), "2 underflows, the first at picture 1");
}

TEST(VbvChecker, ABufferThatPausesTakesNoMoreThanItHolds) {
    EXPECT_EQ(findings_of(stream_of({{100}, {100}, {100}, {4097}})).underflows, Pictures{3});
    EXPECT_EQ(text_of(findings_of(stream_of({{100}, {100}, {100}, {4096}}))), "holds");
}

TEST(VbvChecker, StuffingBelongsToThePictureBefore) {
    std::vector<std::uint8_t> stream = stream_of({{2000}, {2000}});
    const std::vector<std::uint8_t> zeros(100, 0);
    stream.insert(stream.begin() + 2000, zeros.begin(), zeros.end());
    const BufferedStream read = read_buffered_stream(stream);
    EXPECT_EQ(read.pictures[0].bits, 8 * 2100);
    EXPECT_EQ(read.pictures[1].bits, 8 * 2000);
}

/// At a constant rate: the first picture is due 0.05 seconds (2,500 bytes) behind its start code, at byte 34.
std::vector<Sized> constant_pictures() {
    // 2,534 bytes are there, 1,034 stay, 2,000 come. 4 bytes of the next are its start code: 3,030 bytes take 5,454.
    return {{1500, 4500}, {2000, 5454}, {2034, 5454}, {2000, 5392}};
}

TEST(VbvChecker, AConstantRateHolds) {
    const BufferFindings found = findings_of(stream_of(constant_pictures()));
    EXPECT_TRUE(found.constant_rate);
    EXPECT_EQ(text_of(found), "holds");
}

TEST(VbvChecker, SeesAWrongDelay) {
    std::vector<Sized> pictures = constant_pictures();
    pictures[2].vbv_delay += 5;
    EXPECT_EQ(findings_of(stream_of(pictures)).wrong_delays, Pictures{2});
    pictures[2].vbv_delay = 0xFFFF;
    EXPECT_EQ(findings_of(stream_of(pictures)).wrong_delays, Pictures{2});
}

TEST(VbvChecker, SeesAnUnderflowAtAConstantRate) {
    std::vector<Sized> pictures = constant_pictures();
    pictures[1].bytes = 3200; // 3,034 are there.
    pictures[2].bytes = 2000;
    EXPECT_EQ(findings_of(stream_of(pictures)).underflows, Pictures{1});
}

TEST(VbvChecker, SeesAnOverflow) {
    std::vector<Sized> pictures = constant_pictures();
    pictures[1].bytes = 900; // 3,034 were there; 2,134 stay and 2,000 come.
    pictures[2].bytes = 2100;
    EXPECT_EQ(findings_of(stream_of(pictures)).overflows, Pictures{2});
    pictures[1].bytes = 940;
    EXPECT_EQ(findings_of(stream_of(pictures)).overflows, Pictures{});
}

TEST(VbvChecker, Mpeg1OfAVariableRateHasNoBuffer) {
    MpegSequence sequence = small_sequence();
    sequence.bit_rate = variable_bit_rate;
    EXPECT_EQ(text_of(findings_of(stream_of({{100000}}, false, sequence))), "declares no buffer");
    EXPECT_EQ(findings_of(stream_of({{10000000}}, true, sequence)).underflows, Pictures{0}) << "18 bits of 30";
}

} // namespace
} // namespace tandem::test
