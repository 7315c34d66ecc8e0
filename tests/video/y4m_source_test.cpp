// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <random>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/source.h"

namespace tandem {
namespace {

std::string y4m(const std::string& header, const std::vector<const Frame*>& frames,
                const std::string& frame_line = "FRAME\n") {
    std::string bytes = header + "\n";
    for (const Frame* frame : frames)
        bytes += frame_line + test::planes_of(*frame);
    return bytes;
}

TEST(Y4mSource, ReadsRandomSizesExactly) {
    const test::Scratch scratch;
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        const int width = 1 + static_cast<int>(random() % 130), height = 1 + static_cast<int>(random() % 90);
        const int count = 1 + static_cast<int>(random() % 4);
        std::vector<std::unique_ptr<Frame>> frames;
        std::vector<const Frame*> pointers;
        for (int i = 0; i < count; ++i) {
            frames.push_back(test::random_frame(width, height, random()));
            pointers.push_back(frames.back().get());
        }
        const std::string header = "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " F25:1";
        const auto source = open_source(scratch.file("x.y4m", y4m(header, pointers)));
        EXPECT_EQ(source->format().width, width);
        EXPECT_EQ(source->format().height, height);
        EXPECT_EQ(source->frame_count(), count);
        EXPECT_EQ(source->conversion_note(), "");
        for (const Frame* expected : pointers) {
            const auto frame = source->read();
            ASSERT_TRUE(frame);
            EXPECT_TRUE(test::equal(*frame, *expected));
        }
        EXPECT_FALSE(source->read());
        EXPECT_FALSE(source->read()) << "the end stays the end";
    }
}

struct GoodHeader {
    const char* text;
    Rational rate;
    Rational aspect;
};

TEST(Y4mSource, UnderstandsEveryTag) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(16, 8, 1);
    const std::vector<GoodHeader> headers{
        {"YUV4MPEG2 W16 H8 F30000:1001 Ip A10:11 C420mpeg2", {30000, 1001}, {10, 11}},
        {"YUV4MPEG2 H8 W16 C420jpeg F25:1 A0:0 I? XYSCSS=420JPEG XCOLORRANGE=LIMITED", {25, 1}, {0, 1}},
        {"YUV4MPEG2 W16 H8 F2147483647:2147483647 C420paldv", {2147483647, 2147483647}, {0, 1}},
        {"YUV4MPEG2 W0016 H8 F24:1 C420 A1:1", {24, 1}, {1, 1}},
        {"YUV4MPEG2  W16   H8 F24:1 ", {24, 1}, {0, 1}},
        {"YUV4MPEG2 W16 H8 F24:1 X Xanything=\x7F\xFF", {24, 1}, {0, 1}},
    };
    for (const GoodHeader& header : headers) {
        const auto source = open_source(scratch.file("x.y4m", y4m(header.text, {frame.get()})));
        EXPECT_EQ(source->format().frame_rate, header.rate) << header.text;
        EXPECT_EQ(source->format().sample_aspect, header.aspect) << header.text;
        const auto read = source->read();
        ASSERT_TRUE(read);
        EXPECT_TRUE(test::equal(*read, *frame)) << header.text;
    }
}

TEST(Y4mSource, SaysWhenTheRangeIsFull) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(4, 4, 1);
    const auto source =
        open_source(scratch.file("x.y4m", y4m("YUV4MPEG2 W4 H4 F25:1 XCOLORRANGE=FULL Xany", {frame.get()})));
    EXPECT_NE(source->conversion_note().find("full range"), std::string::npos);
}

TEST(Y4mSource, AcceptsParametersOfFrames) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(6, 6, 1);
    const std::string bytes = y4m("YUV4MPEG2 W6 H6 F25:1", {frame.get(), frame.get()}, "FRAME Ippp XTIME=12\n");
    const auto source = open_source(scratch.file("x.y4m", bytes));
    for (int i = 0; i < 2; ++i) {
        const auto read = source->read();
        ASSERT_TRUE(read);
        EXPECT_TRUE(test::equal(*read, *frame));
    }
    EXPECT_FALSE(source->read());
}

TEST(Y4mSource, CountsPicturesThatAreSmallerThanTheHeader) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(1, 1, 1); // With its FRAME line 9 bytes, a third of the header's.
    const std::string bytes = y4m("YUV4MPEG2 W1 H1 F25:1 C420jpeg", std::vector<const Frame*>(9, frame.get()));
    EXPECT_EQ(open_source(scratch.file("x.y4m", bytes))->frame_count(), 9);
}

TEST(Y4mSource, AnUnknownFrameRateIsTakenFromTheOptions) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(6, 6, 1);
    SourceOptions options;
    options.frame_rate = Rational{50, 1};
    for (const char* header : {"YUV4MPEG2 W6 H6 F0:0", "YUV4MPEG2 W6 H6", "YUV4MPEG2 W6 H6 F25:1"}) {
        const auto source = open_source(scratch.file("x.y4m", y4m(header, {frame.get()})), options);
        EXPECT_EQ(source->format().frame_rate, (Rational{50, 1})) << header;
    }
}

TEST(Y4mSource, IsRecognisedUnderAnyName) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(6, 6, 1);
    const std::string bytes = y4m("YUV4MPEG2 W6 H6 F25:1", {frame.get()});
    for (const char* name : {"x", "x.video", "x.Y4M", ".y4m"}) {
        const auto source = open_source(scratch.file(name, bytes));
        const auto read = source->read();
        ASSERT_TRUE(read) << name;
        EXPECT_TRUE(test::equal(*read, *frame)) << name;
    }
}

} // namespace
} // namespace tandem
