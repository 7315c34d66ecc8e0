// SPDX-License-Identifier: BSD-2-Clause
// The figures of a picture, worked out by hand.
#include <gtest/gtest.h>

#include "encoder/mpeg/picture_stats.h"

namespace tandem {
namespace {

TEST(PictureStats, OfABPictureWorkedByHand) {
    MpegPicture picture;
    picture.resize(4, 1);
    picture.type = PictureType::bidirectional;
    picture.flags = {mb_forward | mb_backward, mb_forward | mb_backward | mb_skipped, mb_backward, mb_intra};
    // 5 pels forward and 10 backward, twice, and 15 backward; what is not used of a macroblock has no length.
    picture.forward = {{24, 32}, {24, 32}, {800, 0}, {800, 0}};
    picture.backward = {{-48, 64}, {-48, 64}, {0, -120}, {800, 0}};
    PictureStats stats;
    count_macroblocks(picture, stats);
    EXPECT_EQ(stats.intra, 1);
    EXPECT_EQ(stats.forward, 0);
    EXPECT_EQ(stats.backward, 1);
    EXPECT_EQ(stats.both, 1);
    EXPECT_EQ(stats.skipped, 1);
    EXPECT_EQ(stats.zero_motion, 0);
    EXPECT_DOUBLE_EQ(stats.mean_mv, (2 * (5 + 10) + 15) / 5.0) << "five vectors";
}

TEST(PictureStats, OfAPPictureWorkedByHand) {
    MpegPicture picture;
    picture.resize(4, 1);
    picture.type = PictureType::predicted;
    picture.flags = {mb_forward, mb_forward, mb_skipped, mb_intra};
    picture.forward = {{24, 32}, {0, 0}, {0, 0}, {0, 0}};
    PictureStats stats;
    count_macroblocks(picture, stats);
    EXPECT_EQ(stats.intra, 1);
    EXPECT_EQ(stats.forward, 2);
    EXPECT_EQ(stats.backward, 0);
    EXPECT_EQ(stats.both, 0);
    EXPECT_EQ(stats.skipped, 1);
    EXPECT_EQ(stats.zero_motion, 1);
    EXPECT_DOUBLE_EQ(stats.mean_mv, 5 / 3.0) << "the skipped one is predicted by the zero vector";
}

} // namespace
} // namespace tandem
