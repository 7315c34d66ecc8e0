// SPDX-License-Identifier: BSD-2-Clause
// KITTI's flow, from PNG files that are written here byte by byte.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "machine/errors.h"
#include "me/fields/field_file.h"
#include "tests/files/scratch.h"
#include "tests/me/fields/deep_png.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem::test {
namespace {

/// Red, green and blue of a known vector in pels.
std::array<std::uint16_t, 3> known(double u, double v) {
    const auto value = [](double pels) { return static_cast<std::uint16_t>(std::lround(pels * 64 + 32768)); };
    return {value(u), value(v), 1};
}

class KittiField : public testing::Test {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to read PNG with";
    }
    std::string write(int width, int height, const std::vector<std::array<std::uint16_t, 3>>& pels) const {
        return scratch_.file("000000_10.png", deep_png(width, height, pels));
    }
    Scratch scratch_;
};

TEST_F(KittiField, HasAVectorForEachKnownPel) {
    std::vector<std::array<std::uint16_t, 3>> pels(6 * 5, {0, 0, 0});
    pels[0] = known(1.015625, -2);
    pels[7] = known(-511.984375, 300.5);
    pels[2] = {40000, 40000, 0};
    const auto reader = open_field_file(write(6, 5, pels), {6, 5, 1, 1});
    const auto record = reader->read();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->picture, 1);
    EXPECT_EQ(record->reference_offset, -1);
    const auto exact = reader->exact_vectors();
    ASSERT_EQ(exact.size(), 30u);
    EXPECT_EQ(exact[0].x, 1.015625f) << "not rounded to eighths";
    EXPECT_EQ(exact[0].y, -2);
    EXPECT_EQ(exact[7].x, -511.984375f);
    EXPECT_EQ(exact[7].y, 300.5f);
    EXPECT_TRUE(std::isnan(exact[2].x)) << "blue says that it is not known";
    EXPECT_EQ(record->field.best(0, 0).mv, (Mv{8, -16}));
    EXPECT_FALSE(has_vector(record->field.best(2, 0)));
    EXPECT_FALSE(reader->read());
}

TEST_F(KittiField, BlocksHaveTheVectorInTheirMiddle) {
    std::vector<std::array<std::uint16_t, 3>> pels(10 * 8, {0, 0, 0});
    pels[2 * 10 + 2] = known(3, 1);
    pels[6 * 10 + 9] = known(-5, 0.25);
    const auto reader = open_field_file(write(10, 8, pels), {10, 8, 4, 4});
    const auto record = reader->read();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->field.best(0, 0).mv, mv_from_pels(3, 1));
    EXPECT_EQ(record->field.best(2, 1).mv, (Mv{-40, 2})) << "the last block has two columns";
    EXPECT_FALSE(has_vector(record->field.best(1, 0)));
}

TEST_F(KittiField, RefusesWhatIsNone) {
    const auto refusal = [&](const std::string& path, const FieldGeometry& geometry) -> std::string {
        try {
            open_field_file(path, geometry);
            return "read";
        } catch (const InputError& error) {
            return error.what();
        }
    };
    const std::string path = write(3, 2, std::vector<std::array<std::uint16_t, 3>>(6, known(1, 1)));
    EXPECT_NE(refusal(path, {4, 2, 1, 1}).find("3x2"), std::string::npos);
    const std::string whole = contents(path);
    scratch_.file("cut.png", whole.substr(0, 40));
    EXPECT_NE(refusal(scratch_.path("cut.png"), {3, 2, 1, 1}).find("cut.png"), std::string::npos);
    scratch_.file("text.png", "this is no picture");
    EXPECT_NE(refusal(scratch_.path("text.png"), {3, 2, 1, 1}).find("cannot be read as a PNG"), std::string::npos);
    scratch_.file("empty.png", "");
    EXPECT_NE(refusal(scratch_.path("empty.png"), {3, 2, 1, 1}).find("cannot be read as a PNG"), std::string::npos);
    scratch_.file("shallow.png", deep_png(3, 2, {}, 8));
    EXPECT_NE(refusal(scratch_.path("shallow.png"), {3, 2, 1, 1}).find("16 bits are wanted"), std::string::npos)
        << refusal(scratch_.path("shallow.png"), {3, 2, 1, 1});
    EXPECT_NE(refusal(scratch_.path("none.png"), {3, 2, 1, 1}).find("none.png"), std::string::npos);
}

} // namespace
} // namespace tandem::test
