// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/intra_table.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/bitstream/random_stream.h"
#include "tests/bitstream/stream_parser.h"

namespace tandem::test {
namespace {

/// Bits of all macroblocks of the stream's pictures, by one of the tables.
std::vector<std::uint64_t> written_bits(RandomStream stream, bool b15) {
    for (MpegPicture& picture : stream.pictures)
        picture.intra_vlc_format = b15;
    const ParsedStream parsed = parse_stream(write_stream(stream, *make_mpeg2_writer()));
    std::vector<std::uint64_t> bits;
    for (const ParsedPicture& picture : parsed.pictures)
        bits.push_back(
            std::accumulate(picture.macroblock_bits.begin(), picture.macroblock_bits.end(), std::uint64_t{0}));
    return bits;
}

/// Leaves intra blocks few levels, and small ones.
void make_coarse(RandomStream& stream) {
    for (MpegPicture& picture : stream.pictures) {
        for (std::size_t block = 0; block < picture.nonzero.size(); ++block) {
            if ((picture.flags[block / 6] & mb_intra) == 0) continue;
            picture.nonzero[block] &= 0b110;
            picture.levels[block * 64 + 1] = picture.levels[block * 64 + 2] = 1;
        }
    }
}

TEST(IntraTable, IsTheOneThatWritesFewerBits) {
    int seen[2] = {};
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream = random_stream({.mpeg1 = false, .width = 128, .height = 64, .seed = seed});
        if (seed % 2 == 0) make_coarse(stream);
        const std::vector<std::uint64_t> b14 = written_bits(stream, false), b15 = written_bits(stream, true);
        for (std::size_t i = 0; i < stream.pictures.size(); ++i) {
            const bool is_b15 = shorter_intra_table(stream.pictures[i]) == CoefficientTable::b15;
            EXPECT_EQ(is_b15, b15[i] < b14[i]) << i << ": " << b14[i] << ' ' << b15[i];
            ++seen[is_b15];
        }
    }
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);
}

} // namespace
} // namespace tandem::test
