// SPDX-License-Identifier: BSD-2-Clause
// The bits of syntax elements, counted by the writer: against a slice written down by hand and streams taken apart.
#include "bitstream/mpeg/element_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/bitstream/random_stream.h"
#include "tests/bitstream/small_picture.h"
#include "tests/bitstream/stream_parser.h"

namespace tandem::test {
namespace {

ElementBits room_for(const MpegPicture& picture) {
    // What was there before must not matter.
    return {std::vector(static_cast<std::size_t>(picture.macroblocks()), MacroblockBits{{9, 9, 9, 9, 9, 9, 9}}),
            std::vector<std::uint8_t>(picture.slices.size(), 99), std::vector<std::uint8_t>(picture.slices.size(), 99)};
}

TEST(ElementBits, OfASliceByHand) {
    ElementBits bits = room_for(small_picture());
    BitWriter out;
    make_mpeg2_writer()->write_slice(out, small_sequence(), small_picture(), 0, &bits);
    // As Slice.ByHand has the codes: address, type, quantiser, vectors, pattern, DC, coefficients.
    EXPECT_EQ(bits.macroblocks[0], (MacroblockBits{{1, 1, 0, 5 + 1 + 4, 4, 0, 2 + 24 + 2}}));
    EXPECT_EQ(bits.macroblocks[1], MacroblockBits{});
    EXPECT_EQ(bits.macroblocks[2], (MacroblockBits{{3, 6, 5, 0, 0, 4 + 4 + 3 + 3 + 2 + 2, 2 + 26 + 4 * 2}}));
    EXPECT_EQ(bits.slice_headers, std::vector<std::uint8_t>{32 + 5 + 1});
    EXPECT_EQ(bits.alignment, std::vector<std::uint8_t>{2});
}

TEST(ElementBits, EscapesOfAnAddressBelongToIt) {
    MpegPicture picture;
    picture.type = PictureType::predicted;
    picture.f_code = {{{1, 1}, {15, 15}}};
    picture.resize(80, 1);
    picture.slices = {{0, 80}};
    std::fill(picture.flags.begin(), picture.flags.end(), std::uint8_t{mb_skipped});
    picture.flags.front() = picture.flags.back() = mb_forward;
    std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(), std::uint8_t{4});
    MpegSequence sequence = small_sequence();
    sequence.width = 80 * 16;
    ElementBits bits = room_for(picture);
    BitWriter out;
    make_mpeg2_writer()->write_slice(out, sequence, picture, 0, &bits);
    // An increment of 79: two escapes of 11 bits, then 13, whose code has 8. "MC, not coded" is 001, a zero vector 11.
    EXPECT_EQ(bits.macroblocks.back(), (MacroblockBits{{2 * 11 + 8, 3, 0, 2, 0, 0, 0}}));
}

class ElementBitsOfStreams : public testing::TestWithParam<bool> {};

TEST_P(ElementBitsOfStreams, AreAllThereIsAndChangeNothing) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const RandomStream stream =
            random_stream({.mpeg1 = GetParam(), .width = 200, .height = 70, .types = "IPBB", .seed = seed});
        const auto writer = GetParam() ? make_mpeg1_writer() : make_mpeg2_writer();
        const ParsedStream parsed = parse_stream(write_stream(stream, *writer));
        for (std::size_t i = 0; i < stream.pictures.size(); ++i) {
            const MpegPicture& picture = stream.pictures[i];
            ElementBits bits = room_for(picture);
            for (std::size_t slice = 0; slice < picture.slices.size(); ++slice) {
                BitWriter plain, counted;
                writer->write_slice(plain, stream.sequence, picture, static_cast<int>(slice));
                writer->write_slice(counted, stream.sequence, picture, static_cast<int>(slice), &bits);
                ASSERT_TRUE(std::ranges::equal(plain.bytes(), counted.bytes()));
                std::uint64_t sum = bits.slice_headers[slice] + std::uint64_t{bits.alignment[slice]};
                for (int at = picture.slices[slice].first; at < picture.slices[slice].end; ++at)
                    for (const std::uint16_t element : bits.macroblocks[static_cast<std::size_t>(at)].of)
                        sum += element;
                EXPECT_EQ(sum, counted.bit_count());
            }
            for (std::size_t at = 0; at < bits.macroblocks.size(); ++at) {
                const auto& of = bits.macroblocks[at].of;
                EXPECT_EQ(std::accumulate(of.begin(), of.end(), 0U), parsed.pictures[i].macroblock_bits[at])
                    << "macroblock " << at << " of picture " << i << ", seed " << seed;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Standards, ElementBitsOfStreams, testing::Bool(),
                         [](const auto& standard) { return standard.param ? "Mpeg1" : "Mpeg2"; });

} // namespace
} // namespace tandem::test
