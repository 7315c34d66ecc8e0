// SPDX-License-Identifier: BSD-2-Clause
// Headers and slices by hand.
#include "bitstream/mpeg/mpeg_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "tests/bitstream/small_picture.h"

namespace tandem::test {
namespace {

/// Bytes from bits as a standard's reader would jot them down: 0, 1 and spaces.
std::vector<std::uint8_t> bits(const std::string& text) {
    BitWriter out;
    for (const char digit : text) {
        if (digit != ' ') out.put(digit == '1' ? 1 : 0, 1);
    }
    const auto bytes = out.bytes();
    return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> written(const std::function<void(BitWriter&)>& write) {
    BitWriter out;
    write(out);
    EXPECT_EQ(out.bit_count() % 8, 0U);
    const auto bytes = out.bytes();
    return {bytes.begin(), bytes.end()};
}

const std::string prefix = "00000000 00000000 00000001 ";

TEST(SequenceHeader, Mpeg1) {
    MpegSequence sequence = cif();
    sequence.constrained_parameters = true;
    sequence.bit_rate = 2880;
    sequence.vbv_buffer_size = 20;
    const auto expected =
        bits(prefix + "10110011 000101100000 000100100000 0001 0101 000000101101000000 1 0000010100 1 0 0");
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg1_writer()->write_sequence(out, sequence); }), expected);
}

TEST(SequenceHeader, Mpeg2WithItsExtensions) {
    MpegSequence sequence = cif();
    sequence.width = 4097 + 4096; // 01 000000000001 + 4096 = 10 000000000001
    sequence.height = 2 + 4096;
    sequence.bit_rate = (5U << 18) | 3;
    sequence.vbv_buffer_size = (7 << 10) | 9;
    sequence.frame_rate_extension_n = 2;
    sequence.frame_rate_extension_d = 17;
    sequence.low_delay = true;
    sequence.has_display_extension = true;
    sequence.colour_primaries = 1;
    sequence.transfer_characteristics = 6;
    sequence.matrix_coefficients = 5;
    const auto expected =
        bits(prefix + "10110011 000000000001 000000000010 0001 0101 000000000000000011 1 0000001001 0 0 0" + prefix +
             "10110101 0001 01001000 1 01 10 01 000000000101 1 00000111 1 10 10001" + prefix +
             "10110101 0010 101 1 00000001 00000110 00000101 10000000000001 1 01000000000010");
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg2_writer()->write_sequence(out, sequence); }), expected);
}

TEST(SequenceHeader, MatricesInZigzagOrder) {
    MpegSequence sequence = cif();
    sequence.custom_intra_matrix = sequence.custom_non_intra_matrix = true;
    for (std::size_t i = 0; i < 64; ++i) {
        sequence.intra_matrix[i] = static_cast<std::uint8_t>(i == 0 ? 8 : 100 + i);
        sequence.non_intra_matrix[i] = static_cast<std::uint8_t>(1 + i);
    }
    const auto bytes = written([&](BitWriter& out) { make_mpeg1_writer()->write_sequence(out, sequence); });
    ASSERT_EQ(bytes.size(), 12U + 64 + 64);
    // Before the intra matrix: 62 bits and its load bit, so it is a bit off the bytes; the other one is not.
    const auto intra = [&](std::size_t i) { return ((bytes[11 + i] << 8 | bytes[12 + i]) >> 1) & 0xFF; };
    EXPECT_EQ(intra(0), 8);
    EXPECT_EQ(intra(1), 101);
    EXPECT_EQ(intra(2), 108);
    EXPECT_EQ(intra(3), 116);
    EXPECT_EQ(intra(63), 163);
    EXPECT_EQ(bytes[76], 1);
    EXPECT_EQ(bytes[76 + 5], 1 + 2);
    EXPECT_EQ(bytes[76 + 62], 1 + 62);
    EXPECT_EQ(bytes[76 + 63], 1 + 63);
}

TEST(GroupHeader, TimeCode) {
    const MpegGroup group{.hours = 23, .minutes = 59, .seconds = 7, .pictures = 24, .drop_frame = true, .closed = true};
    const auto expected = bits(prefix + "10111000 1 10111 111011 1 000111 011000 1 0");
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg1_writer()->write_group(out, group); }), expected);
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg2_writer()->write_group(out, group); }), expected);
}

TEST(PictureHeader, Mpeg1) {
    MpegPicture picture;
    picture.type = PictureType::bidirectional;
    picture.temporal_reference = 1023;
    picture.vbv_delay = 0x1234;
    picture.f_code = {{{7, 7}, {1, 1}}};
    const auto expected = bits(prefix + "00000000 1111111111 011 0001001000110100 0 111 0 001 0");
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg1_writer()->write_picture_header(out, picture); }), expected);
}

TEST(PictureHeader, Mpeg2WithItsExtension) {
    MpegPicture picture;
    picture.type = PictureType::predicted;
    picture.temporal_reference = 5;
    picture.f_code = {{{9, 2}, {3, 3}}}; // A P picture has no backward vectors: 15 is written.
    picture.intra_dc_precision = 10;
    picture.quantiser_scale_type = picture.alternate_scan = true;
    const auto expected = bits(prefix + "00000000 0000000101 010 1111111111111111 0 111 0 000000" + prefix +
                               "10110101 1000 1001 0010 1111 1111 10 11 0 1 0 1 0 1 0 1 1 0");
    EXPECT_EQ(written([&](BitWriter& out) { make_mpeg2_writer()->write_picture_header(out, picture); }), expected);
}

TEST(Slice, ByHand) {
    // -5 at f_code 2: motion_code -3 with residual 0; 2 at f_code 1: motion_code 2.
    // Block 0: "11" is -1 in the first place; run 2, level 300 has no code: escape, run, 12 bits of level.
    const std::string first = "1 1 00011 0 0010 1010 11 000001 000010 000100101100 10";
    // Increment 2, intra with quantiser; DC differences -3, 3, then 0; the AC one is an escape of run 62.
    const std::string last = "011 000001 11111 01 00 10 01 11 000001 111110 111111111111 10 100 10 100 10 00 10 00 10";
    const auto expected = bits(prefix + "00000001 00110 0" + first + last);
    const auto slice = [](BitWriter& out) {
        make_mpeg2_writer()->write_slice(out, small_sequence(), small_picture(), 0);
    };
    EXPECT_EQ(written(slice), expected);
}

TEST(Slice, ByHandInMpeg1) {
    MpegPicture picture = small_picture();
    picture.f_code[0] = {1, 1};
    picture.levels[3] = -128;
    // Escapes: 128 and above in 16 bits, to 127 in 8.
    const std::string first = "1 1 0000 1011 0010 1010 11 000001 000010 1000000010000000 10";
    const std::string last = "011 000001 11111 01 00 10 01 11 000001 111110 11111111 10 100 10 100 10 00 10 00 10";
    const auto expected = bits(prefix + "00000001 00110 0" + first + last);
    const auto slice = [&](BitWriter& out) { make_mpeg1_writer()->write_slice(out, small_sequence(), picture, 0); };
    EXPECT_EQ(written(slice), expected);
}

TEST(Slice, SecondOfARowAndTallPictures) {
    MpegSequence sequence = small_sequence();
    sequence.height = 2816;
    MpegPicture picture;
    picture.resize(3, 176);
    std::fill(picture.flags.begin(), picture.flags.end(), std::uint8_t{mb_intra});
    std::fill(picture.pattern.begin(), picture.pattern.end(), std::uint8_t{63});
    std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(), std::uint8_t{1});
    picture.slices = {{175 * 3 + 1, 175 * 3 + 2}, {127 * 3, 128 * 3}};
    for (std::size_t block = 0; block < picture.nonzero.size(); ++block)
        picture.levels[block * 64] = 128;
    const auto writer = make_mpeg2_writer();
    // Row 175 is 128 + 47: slice_vertical_position 48, its extension 1. Column 1: increment 2.
    EXPECT_EQ(written([&](BitWriter& out) { writer->write_slice(out, sequence, picture, 0); }),
              bits(prefix + "00110000 001 00001 0 011 1 100 10 100 10 100 10 100 10 00 10 00 10"));
    EXPECT_EQ(written([&](BitWriter& out) { writer->write_slice(out, sequence, picture, 1); })[3], 0x80);
    // MPEG-1 has no extension: no slice starts in row 175.
    BitWriter out;
    EXPECT_THROW(make_mpeg1_writer()->write_slice(out, sequence, picture, 0), std::invalid_argument);
}

TEST(SequenceEnd, IsItsCode) {
    EXPECT_EQ(written([](BitWriter& out) { make_mpeg1_writer()->write_sequence_end(out); }), bits(prefix + "10110111"));
    EXPECT_EQ(written([](BitWriter& out) { make_mpeg2_writer()->write_sequence_end(out); }), bits(prefix + "10110111"));
}

TEST(PictureCodeArrays, Resize) {
    MpegPicture picture;
    EXPECT_THROW(picture.resize(0, 1), std::invalid_argument);
    EXPECT_THROW(picture.resize(1, -1), std::invalid_argument);
    picture.resize(3, 2);
    EXPECT_EQ(picture.macroblocks(), 6);
    EXPECT_EQ(picture.flags.size(), 6U);
    EXPECT_EQ(picture.nonzero.size(), 36U);
    EXPECT_EQ(picture.levels.size(), 36U * 64);
}

TEST(Matrices, AreTheStandards) {
    EXPECT_EQ(default_intra_matrix()[0], 8);
    EXPECT_EQ(default_intra_matrix()[63], 83);
    EXPECT_EQ(default_intra_matrix()[7], 34);
    EXPECT_EQ(default_intra_matrix()[56], 27);
    for (const std::uint8_t weight : default_non_intra_matrix())
        EXPECT_EQ(weight, 16);
}

TEST(ScanOrders, VisitEachOnce) {
    for (const bool alternate : {false, true}) {
        std::uint64_t seen = 0;
        for (const std::uint8_t raster : scan_order(alternate))
            seen |= std::uint64_t{1} << raster;
        EXPECT_EQ(seen, UINT64_MAX);
        for (std::size_t i = 0; i < 64; ++i)
            EXPECT_EQ(scan_positions(alternate)[scan_order(alternate)[i]], i);
    }
    EXPECT_EQ(scan_order(false)[2], 8);
    EXPECT_EQ(scan_order(true)[1], 8);
    EXPECT_EQ(scan_order(true)[4], 1);
}

} // namespace
} // namespace tandem::test
