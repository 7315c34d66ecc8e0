// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <random>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/frame_sink.h"
#include "video/source.h"

namespace tandem {
namespace {

VideoFormat format_of(int width, int height) {
    VideoFormat format;
    format.width = width;
    format.height = height;
    format.frame_rate = {30000, 1001};
    format.sample_aspect = {12, 11};
    return format;
}

/// The top left part of a frame, as bytes.
std::string cut_out(const Frame& frame, int width, int height) {
    std::string bytes;
    for (int i = 0; i < 3; ++i) {
        const PlaneView plane = frame.plane(i).view();
        const int w = i == 0 ? width : chroma_size(width), h = i == 0 ? height : chroma_size(height);
        for (int y = 0; y < h; ++y)
            bytes.append(plane.row(y), plane.row(y) + w);
    }
    return bytes;
}

TEST(FrameSink, WritesTheDisplayedPartOfLargerFrames) {
    const test::Scratch scratch;
    std::mt19937 random(5);
    for (int round = 0; round < 40; ++round) {
        const int width = 1 + static_cast<int>(random() % 100), height = 1 + static_cast<int>(random() % 100);
        const auto a = test::random_frame((width + 15) / 16 * 16, (height + 15) / 16 * 16, random(), 16);
        const auto b = test::random_frame(width, height, random());
        for (const char* name : {"x.yuv", "x.Y4M"}) {
            const auto sink = open_frame_sink(scratch.path(name), format_of(width, height));
            sink->write(*a);
            sink->write(*b);
            sink->finish();
        }
        const std::string first = cut_out(*a, width, height), second = cut_out(*b, width, height);
        EXPECT_TRUE(test::contents(scratch.path("x.yuv")) == first + second);
        EXPECT_TRUE(test::contents(scratch.path("x.Y4M")) ==
                    "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) +
                        " F30000:1001 Ip A12:11 C420mpeg2\nFRAME\n" + first + "FRAME\n" + second);
        const auto source = open_source(scratch.path("x.Y4M"));
        EXPECT_EQ(source->format().sample_aspect, (Rational{12, 11}));
        EXPECT_TRUE(test::planes_of(*source->read()) == first);
    }
}

TEST(FrameSink, AnUnknownAspectIsWrittenAsUnknown) {
    const test::Scratch scratch;
    VideoFormat format = format_of(2, 2);
    format.sample_aspect = {0, 1};
    const auto sink = open_frame_sink(scratch.path("x.y4m"), format);
    sink->finish();
    EXPECT_EQ(test::contents(scratch.path("x.y4m")), "YUV4MPEG2 W2 H2 F30000:1001 Ip A0:0 C420mpeg2\n");
}

TEST(FrameSink, AFullRangeIsSaid) {
    const test::Scratch scratch;
    for (const bool full : {true, false}) {
        VideoFormat format = format_of(4, 4);
        format.full_range = full;
        const auto sink = open_frame_sink(scratch.path("x.y4m"), format);
        sink->write(*test::random_frame(4, 4, 1));
        sink->finish();
        SourceOptions kept;
        kept.keep_full_range = true;
        EXPECT_EQ(open_source(scratch.path("x.y4m"), kept)->format().full_range, full);
    }
}

TEST(FrameSink, FfmpegReadsThePicturesAsTheyAre) {
    if (!test::have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    const test::Scratch scratch;
    const auto frame = test::random_frame(35, 21, 9);
    const auto sink = open_frame_sink(scratch.path("x.y4m"), format_of(35, 21));
    sink->write(*frame);
    sink->finish();
    const auto result =
        test::run("ffmpeg -v error -i " + scratch.path("x.y4m") + " -f rawvideo " + scratch.path("y.raw"));
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(test::contents(scratch.path("y.raw")) == test::planes_of(*frame));
    const auto probe = test::run("ffprobe -v error -of csv=p=0 -show_entries "
                                 "stream=pix_fmt,field_order,r_frame_rate,sample_aspect_ratio " +
                                 scratch.path("x.y4m"));
    EXPECT_EQ(probe.output, "12:11,yuv420p,progressive,30000/1001\n");
}

TEST(FrameSink, RefusesOtherNamesAndSmallFrames) {
    const test::Scratch scratch;
    EXPECT_THROW(open_frame_sink(scratch.path("x.png"), format_of(2, 2)), InputError);
    EXPECT_THROW(open_frame_sink(scratch.path("x"), format_of(2, 2)), InputError);
    EXPECT_THROW(open_frame_sink(scratch.path("missing/x.y4m"), format_of(2, 2)), InputError);
    const auto sink = open_frame_sink(scratch.path("x.y4m"), format_of(20, 20));
    EXPECT_THROW(sink->write(Frame(19, 20)), RunError);
}

TEST(FrameSink, UnfinishedLeavesNothing) {
    const test::Scratch scratch;
    open_frame_sink(scratch.path("x.yuv"), format_of(2, 2))->write(Frame(16, 16));
    EXPECT_TRUE(scratch.names().empty());
}

} // namespace
} // namespace tandem
