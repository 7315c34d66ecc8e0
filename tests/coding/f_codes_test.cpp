// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/f_codes.h"

#include <gtest/gtest.h>

namespace tandem {
namespace {

using FCodes = std::array<int, 2>;

/// A field of 3x2 macroblocks whose second last candidate is this one.
MotionField field_with(Mv mv) {
    MotionField field(48, 32, 16, 16, 2);
    field.block(1, 0)[0] = {mv_from_pels(2, -1), 900, 900};
    field.block(1, 1)[1] = {mv, 1000, 1000};
    return field;
}

TEST(FCodes, HoldTheHalfPelsAboutACandidate) {
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(7, 3)), Codec::mpeg2), (FCodes{1, 1})) << "7.5 pels at most";
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(8, 3)), Codec::mpeg2), (FCodes{2, 1}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(-8, 15)), Codec::mpeg2), (FCodes{2, 2}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(3, -16)), Codec::mpeg2), (FCodes{1, 3}));
}

TEST(FCodes, AreOneForBothComponentsInMpeg1) {
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(3, -16)), Codec::mpeg1), (FCodes{3, 3}));
    EXPECT_EQ(f_codes_of(field_with(mv_from_pels(9, 1)), Codec::mpeg1), (FCodes{2, 2}));
}

TEST(FCodes, AreTheSmallestWhereNothingMoves) {
    EXPECT_EQ(f_codes_of(MotionField(48, 32, 16, 16, 2), Codec::mpeg2), (FCodes{1, 1})) << "no candidates at all";
}

} // namespace
} // namespace tandem
