// SPDX-License-Identifier: BSD-2-Clause
// IDCTs differ between decoders, and what differs adds up over P pictures: no macroblock is coded 132 times without
// being intra (13818-2 annex A, as in 11172-2 and H.261).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/bitstream/stream_parser.h"
#include "tests/coding/naive_picture.h"
#include "tests/encoder/encoded_clip.h"

namespace tandem {
namespace {

using namespace test;

/// The same picture with other noise on it: every macroblock is coded every time, none wants to be intra.
Clip noisy_still(int frames) {
    const auto still = random_frame(64, 48, 3, 0);
    Clip clip;
    for (int i = 0; i < frames; ++i)
        clip.push_back(moved_frame(*still, 0, 0, static_cast<std::uint32_t>(100 + i), 12));
    return clip;
}

struct Codings {
    int longest = 0; ///< The most codings in a row without intra, over all macroblocks.
    int forced = 0;  ///< Intra macroblocks in P pictures.
    int in_b_pictures = 0;
    int inter = 0;
};

Codings count(const ParsedStream& stream) {
    Codings codings;
    std::vector<int> since(static_cast<std::size_t>(stream.pictures.front().code.macroblocks()));
    for (const ParsedPicture& picture : stream.pictures) {
        for (std::size_t i = 0; i < since.size(); ++i) {
            const std::uint8_t flags = picture.code.flags[i];
            const bool intra = (flags & mb_intra) != 0;
            if (picture.code.type == PictureType::bidirectional) {
                codings.in_b_pictures += intra ? 1 : 0;
                continue;
            }
            if ((flags & mb_skipped) != 0) continue;
            codings.forced += intra && picture.code.type == PictureType::predicted ? 1 : 0;
            codings.inter += intra ? 0 : 1;
            since[i] = intra ? 0 : since[i] + 1;
            codings.longest = std::max(codings.longest, since[i]);
        }
    }
    return codings;
}

Codings code(const Clip& clip, int refresh, int bframes, Codec codec) {
    Settings settings = quick_settings(codec);
    settings.keyint = 1024;
    settings.qp = 2;
    settings.range = 1;
    settings.bframes = bframes;
    settings.intra_refresh = refresh;
    settings.intra_threshold = 65536; // Only force makes a macroblock intra.
    return count(parse_stream(encode(settings, clip).bytes));
}

TEST(Refresh, NoMacroblockIsCoded132TimesWithoutIntra) {
    const Clip clip = noisy_still(141);
    for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
        const Codings codings = code(clip, 132, 0, codec);
        EXPECT_EQ(codings.longest, 131);
        EXPECT_EQ(codings.forced, 12) << "each of the 4 x 3 once in 140 P pictures";
        EXPECT_EQ(codings.forced + codings.inter, 140 * 12) << "the noise was not coded every time";
    }
}

TEST(Refresh, BPicturesNeitherCountNorAreForced) {
    const Codings codings = code(noisy_still(41), 7, 2, Codec::mpeg2);
    EXPECT_EQ(codings.longest, 6);
    EXPECT_EQ(codings.forced, 2 * 12) << "the 7th and the 14th of 14 P pictures";
    EXPECT_EQ(codings.in_b_pictures, 0);
}

TEST(Refresh, SkippedMacroblocksDoNotCount) {
    const Clip clip(50, noisy_still(1).front());
    const Codings codings = code(clip, 10, 0, Codec::mpeg2);
    // The first and last macroblock of a slice cannot be skipped, so they are coded without anything in them.
    EXPECT_LE(codings.longest, 9);
    EXPECT_LE(codings.forced, 6 * (49 / 9));
}

} // namespace
} // namespace tandem
