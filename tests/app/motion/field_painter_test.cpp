// SPDX-License-Identifier: BSD-2-Clause
#include "me/drawing/field_painter.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tandem {
namespace {

/// A side of so many pels, even grey.
Frame grey_picture(int size) {
    Frame frame(size, size);
    for (int plane = 0; plane < 3; ++plane)
        frame.plane(plane).fill(128);
    return frame;
}

std::array<int, 3> at(const Canvas& canvas, int x, int y) {
    const Colour colour = canvas.at(x, y);
    return {colour.red, colour.green, colour.blue};
}

TEST(FieldPainter, AnArrowPointsToWhereThePredictionComesFrom) {
    // One block of 64x64 pels on 1024x1024 samples; the arrow is 8 * 16 samples long and ends below the middle.
    MotionField field(64, 64, 64, 64, 1);
    field.block(0, 0)[0] = {mv_from_pels(0, 8), 0, 0};
    FieldPainter painter({64, 64, 64, 64}, 64);
    const Canvas canvas = painter.paint(grey_picture(64), "", field, nullptr);
    const std::array<int, 3> dimmed_grey{93, 93, 93}, colour_of_an_eighth{71, 194, 239};
    EXPECT_EQ(at(canvas, 512, 512 + 60), colour_of_an_eighth);
    EXPECT_EQ(at(canvas, 512, 512 - 60), dimmed_grey);
    EXPECT_EQ(at(canvas, 512 + 60, 512), dimmed_grey);
    EXPECT_EQ(at(canvas, 512 - 60, 512), dimmed_grey);
}

TEST(FieldPainter, TheScaleEndsAtAPowerOfTwoThatFewVectorsExceed) {
    const FieldGeometry geometry{160, 160, 16, 16};
    const Frame picture = grey_picture(160);
    const auto painted = [&](double longest, const MotionField& field) {
        const Canvas canvas = FieldPainter(geometry, longest).paint(picture, "", field, nullptr);
        return std::vector<std::uint8_t>(canvas.samples().begin(), canvas.samples().end());
    };
    // Of 100 blocks: short ones, `middle` of 3 pels, and the rest of 30.
    const auto field_with = [&](int middle) {
        MotionField field(160, 160, 16, 16, 1);
        for (int i = 0; i < 100; ++i)
            field.block(i % 10, i / 10)[0] = {mv_from_pels(i < 10 ? 1 : i < 10 + middle ? 3 : 30, 0), 0, 0};
        return field;
    };
    const MotionField few = field_with(86), many = field_with(80);
    EXPECT_TRUE(painted(0, few) == painted(4, few));
    EXPECT_TRUE(painted(0, many) == painted(32, many));
    EXPECT_FALSE(painted(4, few) == painted(32, few));
}

} // namespace
} // namespace tandem
