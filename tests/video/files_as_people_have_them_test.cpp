// SPDX-License-Identifier: BSD-2-Clause
// Files that are cut, interlaced, numbered, of other samples, or at odd rates; made by the ffmpeg command for the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "machine/errors.h"
#include "tests/files/no_descriptors.h"
#include "tests/video/libav/made_file.h"
#include "thrown_message.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem {
namespace {

class PeoplesFiles : public test::MadeFile {
  protected:
    static SourceOptions even() {
        SourceOptions options;
        options.even = true;
        return options;
    }
};

using test::count;

TEST_F(PeoplesFiles, OneThatProbingReadsToItsCutEndIsAnError) {
    const std::string whole = test::contents(make("x.mkv", "-c:v mpeg2video -pix_fmt yuv420p"));
    int refused = 0, all = 0;
    for (std::size_t size = whole.size() / 4; size < whole.size() * 9 / 10; size += whole.size() / 13) {
        const std::string path = scratch_.file("cut.mkv", whole.substr(0, size));
        ++all;
        try {
            count(*open_source(path));
            ADD_FAILURE() << size << " of " << whole.size() << " bytes passed";
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_EQ(refused, all);
}

TEST_F(PeoplesFiles, FewerPicturesThanPromisedAreSaid) {
    std::string bytes = test::contents(make("x.avi", "-c:v mpeg2video -g 1 -pix_fmt yuv420p"));
    const std::size_t header = bytes.find("strh");
    ASSERT_NE(header, std::string::npos);
    bytes[header + 8 + 32] = 50; // dwLength of AVISTREAMHEADER: the pictures of the stream.
    const auto source = open_source(scratch_.file("y.avi", bytes), even());
    EXPECT_EQ(source->shortfall(), "");
    EXPECT_EQ(count(*source), 10);
    EXPECT_NE(source->shortfall().find("promises 50 pictures and has 10"), std::string::npos) << source->shortfall();
    for (const char* name : {"x.avi", "x.mp4", "x.mov", "x.mkv", "x.ts", "x.mpg", "x.m2v"}) {
        const auto good = open_source(make(name, "-c:v mpeg2video -bf 2 -pix_fmt yuv420p"), even());
        EXPECT_EQ(count(*good), 10) << name;
        EXPECT_EQ(good->shortfall(), "") << name;
        EXPECT_EQ(good->conversion_note(), "") << name;
    }
}

TEST_F(PeoplesFiles, AnEditListIsNoShortfall) {
    make("long.mp4", "-c:v mpeg4 -g 10 -bf 0 -pix_fmt yuv420p");
    const auto cut = test::run("ffmpeg -v error -y -ss 0.2 -i " + scratch_.path("long.mp4") + " -c copy " +
                               scratch_.path("cut.mp4"));
    ASSERT_EQ(cut.status, 0) << cut.output;
    const auto source = open_source(scratch_.path("cut.mp4"), even());
    EXPECT_EQ(count(*source), 5);
    EXPECT_EQ(source->shortfall(), "");
}

TEST_F(PeoplesFiles, PicturesBeforeTheFirstEntryPointAreCounted) {
    const std::string whole = test::contents(make("x.m2v", "-c:v mpeg2video -g 5 -bf 0 -pix_fmt yuv420p"));
    const std::string picture("\0\0\1\0", 4);
    const std::size_t second = whole.find(picture, whole.find(picture) + 4);
    const auto source = open_source(scratch_.file("late.m2v", whole.substr(second)));
    EXPECT_EQ(count(*source), 5);
    EXPECT_NE(source->conversion_note().find("the first 4 pictures come before its first entry point"),
              std::string::npos)
        << source->conversion_note();
}

TEST_F(PeoplesFiles, UnevenTimesBecomeEven) {
    const std::string path =
        make("v.mkv", "-vf \"select='not(eq(n,3)+eq(n,4))'\" -vsync vfr -c:v ffv1 -pix_fmt yuv420p");
    const auto source = open_source(path, even());
    std::vector<std::unique_ptr<Frame>> frames;
    while (auto frame = source->read())
        frames.push_back(std::move(frame));
    ASSERT_EQ(frames.size(), 12U);
    EXPECT_TRUE(test::equal(*frames[2], *frames[3]));
    EXPECT_TRUE(test::equal(*frames[2], *frames[4]));
    EXPECT_FALSE(test::equal(*frames[4], *frames[5]));
    EXPECT_NE(source->conversion_note().find("of its 10 pictures 2 are repeated and 0 left out"), std::string::npos)
        << source->conversion_note();
}

TEST_F(PeoplesFiles, ARateThatCannotBeCodedBecomesOneThatCan) {
    SourceOptions options = even();
    options.codable_rate = [](Rational rate, bool) {
        return rate.value() > 20 && rate.value() < 22 ? Rational{24, 1} : rate;
    };
    const auto source = open_source(make("x.mkv", "-c:v ffv1 -pix_fmt yuv420p", "testsrc2=s=64x48:r=21"), options);
    EXPECT_EQ(source->format().frame_rate, (Rational{24, 1}));
    EXPECT_EQ(count(*source), 11); // 10/21 s.
}

TEST_F(PeoplesFiles, InterlacedPicturesAreDeinterlacedOrKept) {
    const std::string path = make("x.mkv",
                                  "-vf tinterlace=interleave_top,fieldorder=tff -c:v mpeg2video -flags +ilme+ildct "
                                  "-pix_fmt yuv420p",
                                  "testsrc2=s=64x48:r=50");
    SourceOptions options = even();
    const auto kept = open_source(path, options);
    EXPECT_NE(kept->conversion_note().find("taken as progressive"), std::string::npos) << kept->conversion_note();
    const auto lines = kept->read();
    if (!built_with_filters()) GTEST_SKIP() << "this build has no libavfilter";
    options.interlaced = Interlaced::deinterlaced;
    const auto source = open_source(path, options);
    EXPECT_NE(source->conversion_note().find("they are deinterlaced"), std::string::npos) << source->conversion_note();
    const auto picture = source->read();
    EXPECT_FALSE(test::equal(*picture, *lines));
    EXPECT_EQ(1 + count(*source), 10);
}

TEST_F(PeoplesFiles, SamplesKeepTheirShapeThroughFilters) {
    if (!built_with_filters()) GTEST_SKIP() << "this build has no libavfilter";
    const std::string interlaced = "-vf tinterlace=interleave_top,fieldorder=tff,setsar=64/45 -c:v mpeg2video "
                                   "-flags +ilme+ildct -pix_fmt yuv420p";
    const auto shape_of = [](const std::string& path, const SourceOptions& options) {
        return open_source(path, options)->format().sample_aspect.value();
    };
    for (const char* name : {"x.ts", "x.mkv"}) {
        const std::string path = make(name, interlaced, "testsrc2=s=720x576:r=50");
        SourceOptions options = even();
        EXPECT_NEAR(shape_of(path, options), 64.0 / 45, 1e-3) << name;
        options.interlaced = Interlaced::deinterlaced;
        EXPECT_NEAR(shape_of(path, options), 64.0 / 45, 1e-3) << name;
        options.filters = "transpose=1";
        EXPECT_NEAR(shape_of(path, options), 45.0 / 64, 1e-3) << name;
        options.filters = "scale=360:576";
        EXPECT_NEAR(shape_of(path, options), 128.0 / 45, 1e-3) << name;
    }
    // Said by the container alone.
    const std::string path = make("x.mov", "-vf setsar=4/3 -c:v ffv1 -pix_fmt yuv420p");
    SourceOptions options = even();
    options.filters = "hflip";
    EXPECT_NEAR(shape_of(path, options), 4.0 / 3, 1e-3);
}

TEST_F(PeoplesFiles, FiltersAreFfmpegsOwn) {
    if (!built_with_filters()) GTEST_SKIP() << "this build has no libavfilter";
    const std::string path = make("x.mkv", "-c:v ffv1 -pix_fmt yuv420p");
    SourceOptions options = even();
    options.filters = "crop=32:16:0:0,transpose=1";
    const auto source = open_source(path, options);
    EXPECT_EQ(source->format().width, 16);
    EXPECT_EQ(source->format().height, 32);
    EXPECT_EQ(count(*source), 10);
    options.filters = "hflip";
    const auto mirrored = open_source(path, options)->read(), plain = open_source(path)->read();
    for (int x = 0; x < 64; ++x)
        ASSERT_EQ(mirrored->luma().view().at(x, 7), plain->luma().view().at(63 - x, 7)) << x;
    options.filters = "fps=50";
    EXPECT_EQ(count(*open_source(path, options)), 20);
    options.filters = "no_such_filter=3";
    EXPECT_NE(test::message_of<InputError>([&] { open_source(path, options); }).find("no_such_filter"),
              std::string::npos);
}

TEST_F(PeoplesFiles, Y4mOfOtherSamplesIsConvertedAsContainersAre) {
    for (const char* format : {"yuv422p", "yuv444p", "yuv411p", "gray", "yuv420p10le"}) {
        const std::string option = std::string("-strict -1 -pix_fmt ") + format;
        const auto source = open_source(make("x.y4m", option));
        EXPECT_NE(source->conversion_note().find(format), std::string::npos) << source->conversion_note();
        const auto expected = open_source(make("x.nut", "-c:v rawvideo -pix_fmt " + std::string(format)))->read();
        const auto frame = source->read();
        if (std::string(format) != "gray") {
            EXPECT_TRUE(test::equal(*frame, *expected)) << format;
        }
        EXPECT_EQ(1 + count(*source), 10) << format;
        const std::string bytes = test::contents(scratch_.path("x.y4m"));
        const std::string cut = scratch_.file("cut.y4m", bytes.substr(0, bytes.size() - 5));
        EXPECT_NE(test::message_of<InputError>([&] { count(*open_source(cut)); }).find("cut off"), std::string::npos)
            << format;
    }
}

TEST_F(PeoplesFiles, NumberedPicturesAreOneVideo) {
    make("p%03d.png", "-start_number 7 -pix_fmt rgb24");
    SourceOptions options = even();
    const auto assumed = open_source(scratch_.path("p%03d.png"), options);
    EXPECT_NE(assumed->conversion_note().find("25 a second are assumed"), std::string::npos)
        << assumed->conversion_note();
    EXPECT_EQ(count(*assumed), 10);
    EXPECT_EQ(assumed->shortfall(), "");
    options.resampled_rate = Rational{50, 1};
    const auto source = open_source(scratch_.path("p%03d.png"), options);
    EXPECT_EQ(source->format().frame_rate, (Rational{50, 1}));
    EXPECT_EQ(count(*source), 10) << "--fps says the rate of what has none";
    std::filesystem::remove(scratch_.path("p012.png"));
    const auto gap = [&] { count(*open_source(scratch_.path("p%03d.png"))); };
    EXPECT_NE(test::message_of<InputError>(gap).find("p012.png"), std::string::npos);
}

TEST_F(PeoplesFiles, DamageIsTheFilesFaultAndMissingDescriptorsAreNot) {
    const std::string path = make("x.mp4", "-c:v mpeg4 -pix_fmt yuv420p");
    std::string bytes = test::contents(path);
    const std::string cut = scratch_.file("cut.mp4", bytes.substr(0, bytes.find("moov") - 4));
    EXPECT_NE(test::message_of<InputError>([&] { open_source(cut); }).find("it is cut off"), std::string::npos);
    const std::size_t table = bytes.find("stsz");
    ASSERT_NE(table, std::string::npos);
    bytes.replace(table + 12, 4, "\x7F\xFF\xFF\xF0"); // Sample count: ISO/IEC 14496-12 clause 8.7.3.
    EXPECT_THROW(count(*open_source(scratch_.file("y.mp4", bytes))), InputError);
    const test::NoDescriptors none;
    EXPECT_THROW(open_source(path), RunError);
}

TEST(OtherY4m, ThatLibavformatCannotReadIsRefusedByItsTag) {
    const test::Scratch scratch;
    for (const char* tag : {"C420mpeg", "C4220", "Im", "Ix"}) {
        const std::string path =
            scratch.file("a.y4m", "YUV4MPEG2 W4 H4 F25:1 " + std::string(tag) + "\nFRAME\n" + std::string(24, 'x'));
        EXPECT_NE(test::message_of<InputError>([&] { open_source(path); }).find("'" + std::string(tag) + "'"),
                  std::string::npos);
    }
    if (built_with_libav()) return;
    for (const char* tag : {"C422", "C420p10", "Cmono", "It"}) {
        const std::string path = scratch.file("a.y4m", "YUV4MPEG2 W4 H4 F25:1 " + std::string(tag) + "\n");
        EXPECT_NE(test::message_of<InputError>([&] { open_source(path); }).find("'" + std::string(tag) + "'"),
                  std::string::npos);
    }
}

TEST(RawFiles, Nv12IsSplitAndI420IsYuv) {
    const test::Scratch scratch;
    const auto frame = test::random_frame(6, 4, 3);
    const std::string planar = test::planes_of(*frame);
    std::string pairs = planar.substr(0, 24);
    for (std::size_t i = 0; i < 6; ++i)
        pairs += {planar[24 + i], planar[30 + i]};
    EXPECT_TRUE(test::equal(*open_source(scratch.file("a_6x4_25.nv12", pairs))->read(), *frame));
    EXPECT_TRUE(test::equal(*open_source(scratch.file("a_6x4_25.i420", planar))->read(), *frame));
}

TEST(RawFiles, OtherFilesAndTwoSizesAreRefused) {
    const test::Scratch scratch;
    const std::string room(6 * 4 * 3 / 2, '\0');
    for (const auto& [magic, word] : {std::pair{"GIF89a", "GIF"}, {"BZh91AY&SY", "bzip2"}, {"ID3\x04", "MP3"}}) {
        const std::string bytes = std::string(magic) + room.substr(std::string(magic).size());
        const std::string path = scratch.file("a_6x4_25.yuv", bytes);
        EXPECT_NE(test::message_of<InputError>([&] { open_source(path); }).find(word), std::string::npos) << word;
    }
    const std::string two = scratch.file("a_6x4_to_4x6.yuv", room);
    EXPECT_NE(test::message_of<InputError>([&] { open_source(two); }).find("two sizes"), std::string::npos);
    SourceOptions told;
    told.input_res = std::pair{6, 4};
    EXPECT_TRUE(open_source(two, told)->read());
}

TEST(Y4mFrames, ParametersThatWouldBeIgnoredAreRefused) {
    const test::Scratch scratch;
    const std::string samples(24, 'x');
    const auto clip = [&](const std::string& frame) {
        return scratch.file("a.y4m", "YUV4MPEG2 W4 H4 F25:1\n" + frame + "\n" + samples);
    };
    for (const char* good : {"FRAME", "FRAME Xcomment", "FRAME Ippp XA=1"})
        EXPECT_TRUE(open_source(clip(good))->read()) << good;
    for (const char* bad : {"FRAME Itii", "FRAME Xa Ibpi", "FRAME Q"})
        EXPECT_THROW(open_source(clip(bad))->read(), InputError) << bad;
}

TEST(RawFiles, RatesAreResampledAssumedOrSaid) {
    const test::Scratch scratch;
    const std::string two(2 * 24, 'x');
    SourceOptions options;
    options.resampled_rate = Rational{50, 1};
    EXPECT_EQ(count(*open_source(scratch.file("a_4x4_25.yuv", two), options)), 4);
    EXPECT_EQ(count(*open_source(scratch.file("a_4x4.yuv", two), options)), 2) << "the rate of what says none";
    options.frame_rate = Rational{100, 1};
    EXPECT_EQ(count(*open_source(scratch.path("a_4x4_25.yuv"), options)), 1);
}

} // namespace
} // namespace tandem
