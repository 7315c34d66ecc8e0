// SPDX-License-Identifier: BSD-2-Clause
// What libavformat reads from a pipe: y4m of other samples and fields, containers; and luma of either range, as it is
// said by the input or by the user.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "machine/errors.h"
#include "tests/video/libav/made_file.h"
#include "thrown_message.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/source.h"

namespace tandem {
namespace {

class PipedFormats : public test::MadeFile {
  protected:
    /// A pipe that somebody fills with the file's first bytes.
    std::string pipe_of(const std::string& file, const std::string& bytes = "1000000000") {
        const std::string pipe = scratch_.path("pipe" + std::to_string(++pipes_));
        const std::string command =
            "mkfifo " + pipe + " && (head -c " + bytes + " " + file + " > " + pipe + " 2>/dev/null &)";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return pipe;
    }

    /// All pictures of both are the same, and so is what is said of them.
    static void expect_same(FrameSource& a, FrameSource& b) {
        EXPECT_EQ(a.conversion_note(), b.conversion_note());
        EXPECT_EQ(a.format().frame_rate, b.format().frame_rate);
        int pictures = 0;
        for (auto one = a.read(); one; one = a.read(), ++pictures) {
            const auto other = b.read();
            ASSERT_TRUE(other) << pictures;
            ASSERT_TRUE(test::equal(*one, *other)) << pictures;
        }
        EXPECT_EQ(pictures, 10);
        EXPECT_FALSE(b.read());
    }

    int pipes_ = 0;
};

TEST_F(PipedFormats, Y4mOfAnySamplesIsReadAsFromAFile) {
    for (const char* format : {"yuv422p", "yuv444p", "yuv411p", "gray", "yuv420p10le", "yuv422p12le", "yuva444p"}) {
        SCOPED_TRACE(format);
        const std::string file = make("x.y4m", std::string("-strict -1 -pix_fmt ") + format);
        const auto from_file = open_source(file), from_pipe = open_source(pipe_of(file));
        EXPECT_NE(from_pipe->conversion_note().find(format), std::string::npos) << from_pipe->conversion_note();
        expect_same(*from_file, *from_pipe);
    }
}

TEST_F(PipedFormats, CutY4mOfOtherSamplesIsAnError) {
    const std::string file = make("x.y4m", "-strict -1 -pix_fmt yuv422p");
    const auto cut = [&] { test::count(*open_source(pipe_of(file, "20000"))); };
    EXPECT_NE(test::message_of<InputError>(cut).find("cut off in frame 4"), std::string::npos)
        << test::message_of<InputError>(cut);
}

TEST_F(PipedFormats, FieldsAndFiltersWorkThere) {
    if (!built_with_filters()) GTEST_SKIP() << "this build has no libavfilter";
    const std::string file = make("x.y4m", "-vf setfield=tff -pix_fmt yuv420p");
    SourceOptions options;
    options.interlaced = Interlaced::deinterlaced;
    const auto from_file = open_source(file, options), from_pipe = open_source(pipe_of(file), options);
    EXPECT_NE(from_pipe->conversion_note().find("deinterlaced"), std::string::npos) << from_pipe->conversion_note();
    expect_same(*from_file, *from_pipe);
    options.filters = "crop=32:16:0:0";
    EXPECT_EQ(open_source(pipe_of(file), options)->format().width, 32);
    options.input_res = std::pair{64, 48};
    EXPECT_NE(test::message_of<InputError>([&] { open_source(pipe_of(file), options); }).find("not raw pictures"),
              std::string::npos);
}

TEST_F(PipedFormats, ContainersAreReadToo) {
    for (const char* name : {"x.mkv", "x.ts", "x.avi", "x.m2v"}) {
        SCOPED_TRACE(name);
        const std::string file = make(name, "-c:v mpeg2video -bf 2 -pix_fmt yuv420p");
        const auto from_file = open_source(file), from_pipe = open_source(pipe_of(file));
        expect_same(*from_file, *from_pipe);
        EXPECT_FALSE(from_pipe->beginning()) << "nobody can read the pipe once more for its sound";
    }
    // Larger than what libavformat holds of a pipe.
    const std::string file =
        make("x.mp4", "-vf noise=alls=100:allf=t -c:v mpeg4 -q:v 1 -pix_fmt yuv420p", "testsrc2=s=640x480:r=25");
    EXPECT_NE(test::message_of<InputError>([&] { test::count(*open_source(pipe_of(file))); }).find("index at its end"),
              std::string::npos);
}

TEST_F(PipedFormats, FullRangeOfY4mBecomesLimitedUnlessItIsKept) {
    const std::string file = make("x.y4m", "-vf format=yuv444p,scale=out_range=full -pix_fmt yuvj420p -strict -1");
    ASSERT_NE(test::contents(file).find("XCOLORRANGE=FULL"), std::string::npos) << "the test would see nothing";
    const auto brightest = [](const Frame& frame) {
        int most = 0;
        for (int y = 0; y < frame.height(); ++y)
            for (int x = 0; x < frame.width(); ++x)
                most = std::max<int>(most, frame.luma().view().at(x, y));
        return most;
    };
    SourceOptions kept;
    kept.keep_full_range = true;
    const auto full = open_source(file, kept), limited = open_source(file);
    const int most_full = brightest(*full->read()), most_limited = brightest(*limited->read());
    EXPECT_NEAR(most_limited, 16 + most_full * 219.0 / 255, 2);
    EXPECT_TRUE(full->format().full_range);
    EXPECT_FALSE(limited->format().full_range);
    EXPECT_NE(limited->conversion_note().find("luma 16 to 235"), std::string::npos) << limited->conversion_note();
}

TEST_F(PipedFormats, ADeclaredRangeLeavesSamplesAlone) {
    const std::string tagged = make("x.nut", "-c:v rawvideo -pix_fmt yuvj444p");
    SourceOptions options;
    options.keep_full_range = true;
    const auto plain = open_source(tagged, options)->read();
    options.keep_full_range = false;
    for (const bool full : {false, true}) {
        options.full_range = full;
        const auto declared = open_source(tagged, options);
        EXPECT_EQ(declared->format().full_range, full);
        EXPECT_TRUE(test::equal(*declared->read(), *plain)) << full;
    }
    // Of RGB, which has no luma yet, it says which luma it gets.
    const std::string rgb = make("x.png", "-frames:v 1 -pix_fmt rgb24");
    const auto limited = [&](bool value) {
        options.full_range = value;
        return open_source(rgb, options)->read();
    };
    EXPECT_FALSE(test::equal(*limited(false), *limited(true)));
}

} // namespace
} // namespace tandem
