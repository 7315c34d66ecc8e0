// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <random>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/source.h"
#include "video/sources/raw_geometry.h"

namespace tandem {
namespace {

using NamedSize = std::optional<std::pair<int, int>>;

TEST(RawGeometry, IsReadFromNames) {
    struct Case {
        const char* name;
        NamedSize size;
        std::optional<Rational> rate;
    };
    const Case cases[] = {
        {"foreman_352x288_30.yuv", {{352, 288}}, {{30, 1}}},
        {"/some_176x144_9/BasketballPass_416x240_50.yuv", {{416, 240}}, {{50, 1}}},
        {"a-1920X1080-23.976fps.raw", {{1920, 1080}}, {{24000, 1001}}},
        {"park_joy_1280x720_59.94.yuv", {{1280, 720}}, {{60000, 1001}}},
        {"x 720x576 25Hz 8bit.yuv", {{720, 576}}, {{25, 1}}},
        {"16x16.yuv", {{16, 16}}, {}},
        {"x_352x288.yuv", {{352, 288}}, {}},
        {"x_352x288_cut_30.yuv", {{352, 288}}, {}},
        {"x_352x288_0.yuv", {{352, 288}}, {}},
        {"x_352x288_30_704x576_60.yuv", {{352, 288}}, {{30, 1}}},
        {"x.yuv", {}, {}},
        {"x_0x288.yuv", {}, {}},
        {"x_16385x288.yuv", {}, {}},
        {"x_4294967648x288.yuv", {}, {}},
        {"x_352x288p.yuv", {}, {}},
        {"matrixx_30.yuv", {}, {}},
        {"", {}, {}},
    };
    for (const Case& c : cases) {
        const RawGeometry found = raw_geometry_from_name(c.name);
        EXPECT_EQ(found.size, c.size) << c.name;
        EXPECT_EQ(found.frame_rate, c.rate) << c.name;
        EXPECT_EQ(found.unsupported, "") << c.name;
    }
}

TEST(RawGeometry, NoticesFormatsThatAreNotOurs) {
    for (const auto& [name, word] : {std::pair{"x_1920x1080_50_10bit.yuv", "10bit"},
                                     {"x_1920x1080_50_10bits_420.yuv", "10bits"},
                                     {"x_yuv422p_1920x1080.yuv", "yuv422p"},
                                     {"x_1920x1080_444.yuv", "444"},
                                     {"x_YUV420P10LE_64x64.yuv", "yuv420p10le"}}) {
        EXPECT_EQ(raw_geometry_from_name(name).unsupported, word);
    }
}

TEST(RawSource, ReadsRandomSizesExactly) {
    const test::Scratch scratch;
    std::mt19937 random(12);
    for (int round = 0; round < 40; ++round) {
        const int width = 1 + static_cast<int>(random() % 130), height = 1 + static_cast<int>(random() % 90);
        const auto first = test::random_frame(width, height, random());
        const auto second = test::random_frame(width, height, random());
        const std::string bytes = test::planes_of(*first) + test::planes_of(*second);
        SourceOptions options;
        std::string name = "x_" + std::to_string(width) + "x" + std::to_string(height) + "_24.yuv";
        if (round % 2 == 0) {
            options.input_res = {width, height};
            name = "x_7x7_24.yuv";
        }
        const auto source = open_source(scratch.file(name, bytes), options);
        EXPECT_EQ(source->format().frame_rate, (Rational{24, 1}));
        EXPECT_EQ(source->frame_count(), 2);
        EXPECT_TRUE(test::equal(*source->read(), *first));
        EXPECT_TRUE(test::equal(*source->read(), *second));
        EXPECT_FALSE(source->read());
    }
}

TEST(RawSource, TakesTheRateFromOptionNameOrSaysWhatItAssumes) {
    const test::Scratch scratch;
    const std::string bytes = test::planes_of(*test::random_frame(4, 4, 1));
    SourceOptions options;
    options.input_res = {4, 4};
    const auto assumed = open_source(scratch.file("x.yuv", bytes), options);
    EXPECT_EQ(assumed->format().frame_rate, (Rational{25, 1}));
    EXPECT_NE(assumed->conversion_note().find("25"), std::string::npos);
    EXPECT_EQ(open_source(scratch.file("x_4x4_25.yuv", bytes))->conversion_note(), "");
    options.frame_rate = Rational{60, 1};
    const auto given = open_source(scratch.file("x.raw", bytes), options);
    EXPECT_EQ(given->format().frame_rate, (Rational{60, 1}));
    EXPECT_EQ(given->conversion_note(), "");
}

TEST(RawSource, AWrongWordInTheNameIsOverruledByTheOption) {
    const test::Scratch scratch;
    SourceOptions options;
    options.input_res = {4, 4};
    EXPECT_TRUE(open_source(scratch.file("x_444.yuv", test::planes_of(*test::random_frame(4, 4, 1))), options)->read());
}

} // namespace
} // namespace tandem
