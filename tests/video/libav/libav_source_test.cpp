// SPDX-License-Identifier: BSD-2-Clause
// Files of other formats, made by the ffmpeg command for the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "machine/errors.h"
#include "made_file.h"
#include "tests/video/thrown_message.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem {
namespace {

using LibavSource = test::MadeFile;
using test::count;

TEST_F(LibavSource, LosslessPicturesArriveUnchanged) {
    make("x.y4m", "-pix_fmt yuv420p");
    const std::string lossless = make("x.mkv", "-pix_fmt yuv420p -c:v ffv1");
    const auto expected = open_source(scratch_.path("x.y4m"));
    const auto source = open_source(lossless);
    EXPECT_EQ(source->format().frame_rate, (Rational{25, 1}));
    EXPECT_EQ(source->format().colours_without_code, "");
    for (int i = 0; i < 10; ++i) {
        const auto a = expected->read(), b = source->read();
        ASSERT_TRUE(a && b);
        EXPECT_TRUE(test::equal(*a, *b)) << i;
    }
    EXPECT_FALSE(source->read());
    EXPECT_FALSE(source->read());
}

TEST_F(LibavSource, BPicturesComeInDisplayOrderAndNoneIsLost) {
    for (const char* name : {"x.mp4", "x.mkv", "x.ts", "x.mpg", "x.avi", "x.m2v"}) {
        const auto source = open_source(make(name, "-c:v mpeg2video -bf 2 -q:v 2 -pix_fmt yuv420p"));
        EXPECT_EQ(count(*source), 10) << name;
    }
}

TEST_F(LibavSource, CountsThePicturesByTheContainersNumberOrItsTime) {
    for (const char* name : {"x.mp4", "x.avi", "x.mkv"})
        EXPECT_EQ(open_source(make(name, "-c:v mpeg2video -bf 2 -pix_fmt yuv420p"))->frame_count(), 10) << name;
}

TEST_F(LibavSource, PicturesOfAnotherSizeAreAnError) {
    const std::string codec = "-c:v mpeg2video -pix_fmt yuv420p", first = test::contents(make("a.m2v", codec));
    for (const char* picture : {"testsrc2=s=80x48:r=25", "testsrc2=s=64x64:r=25"}) {
        const std::string second = test::contents(make("b.m2v", codec, picture));
        const auto source = open_source(scratch_.file("x.m2v", first + second));
        const std::string message = test::message_of<InputError>([&] { count(*source); });
        EXPECT_NE(message.find("the first was 64x48"), std::string::npos) << message;
    }
}

TEST_F(LibavSource, SaysWhatItConverts) {
    for (const char* format : {"yuv444p", "yuv422p10le", "gray", "rgb24", "bgr0", "yuv420p16le"}) {
        const auto source = open_source(make("x.nut", std::string("-c:v rawvideo -pix_fmt ") + format));
        EXPECT_NE(source->conversion_note().find(format), std::string::npos) << source->conversion_note();
        EXPECT_EQ(count(*source), 10) << format;
    }
}

TEST_F(LibavSource, HalvesTheDepthAndNotTheContrast) {
    const auto deep = open_source(make("x.mkv", "-c:v ffv1 -pix_fmt yuv420p10le"));
    make("x.y4m", "-pix_fmt yuv420p");
    const auto plain = open_source(scratch_.path("x.y4m"));
    const auto a = deep->read(), b = plain->read();
    for (int y = 0; y < 48; ++y) {
        for (int x = 0; x < 64; ++x)
            ASSERT_NEAR(a->luma().view().at(x, y), b->luma().view().at(x, y), 1);
    }
}

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift);
    return bytes;
}

/// Part of a PNG with its check sum (ISO/IEC 15948, annex D).
std::string png_chunk(const std::string& type, const std::string& data) {
    std::uint32_t sum = 0xFFFFFFFF;
    for (const char c : type + data) {
        sum ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum & 1) != 0 ? 0xEDB88320 ^ (sum >> 1) : sum >> 1;
    }
    return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(~sum);
}

/// A gray PNG of one row, in a block of zlib's that is stored as it is (RFC 1950, RFC 1951 section 3.2.4).
std::string gray_png(const std::string& samples) {
    const std::string row = std::string(1, '\0') + samples;
    std::uint32_t a = 1, b = 0;
    for (const char c : row) {
        a = (a + static_cast<std::uint8_t>(c)) % 65521;
        b = (b + a) % 65521;
    }
    const auto size = static_cast<std::uint16_t>(row.size());
    std::string stored{'\x78', '\x01', '\x01'};
    for (const int length : {int{size}, ~int{size}})
        stored += {static_cast<char>(length), static_cast<char>(length >> 8)};
    const std::string head =
        big_endian(static_cast<std::uint32_t>(samples.size())) + big_endian(1) + std::string("\x08\0\0\0\0", 5);
    return "\x89PNG\r\n\x1A\n" + png_chunk("IHDR", head) + png_chunk("IDAT", stored + row + big_endian(b << 16 | a)) +
           png_chunk("IEND", "");
}

TEST_F(LibavSource, GrayStillsAreFullRangeWhateverTheirFormat) {
    std::string samples, deep;
    for (int i = 0; i < 256; ++i) {
        samples += static_cast<char>(i);
        deep += std::string(2, static_cast<char>(i));
    }
    std::ofstream(scratch_.path("a.png"), std::ios::binary) << gray_png(samples);
    std::ofstream(scratch_.path("a.pgm"), std::ios::binary) << "P5\n256 1\n255\n" << samples;
    std::ofstream(scratch_.path("deep.pgm"), std::ios::binary) << "P5\n256 1\n65535\n" << deep;
    const auto png = open_source(scratch_.path("a.png"))->read();
    EXPECT_EQ(png->luma().view().at(0, 0), 16);
    EXPECT_EQ(png->luma().view().at(255, 0), 235);
    for (const char* name : {"a.pgm", "deep.pgm"}) {
        const auto source = open_source(scratch_.path(name));
        EXPECT_NE(source->conversion_note().find("full range"), std::string::npos) << source->conversion_note();
        const auto pgm = source->read();
        for (int x = 0; x < 256; ++x)
            ASSERT_NEAR(pgm->luma().view().at(x, 0), png->luma().view().at(x, 0), name[0] == 'd' ? 1 : 0) << name << x;
    }
    SourceOptions kept;
    kept.keep_full_range = true;
    for (const char* name : {"a.png", "a.pgm", "deep.pgm"}) {
        const auto gray = open_source(scratch_.path(name), kept)->read();
        for (int x = 0; x < 256; ++x) {
            ASSERT_NEAR(gray->luma().view().at(x, 0), x, name[0] == 'd' ? 1 : 0) << name;
            ASSERT_EQ(gray->plane(1).view().at(x / 2, 0), 128) << name << x;
        }
    }
}

// Made as RGB: from limited range FFmpeg on ARM makes a white of 253.
constexpr const char* white_rgb = "color=white:s=32x32:r=25,format=rgb24";

TEST_F(LibavSource, FullRangeBecomesLimited) {
    const auto white = open_source(make("white.png", "-update 1 -frames:v 1", white_rgb));
    EXPECT_NEAR(white->read()->luma().view().at(5, 5), 235, 1);
    EXPECT_EQ(white->format().colour.matrix, 6) << "BT.601, the matrix used";
    const auto black = open_source(make("black.jpg", "-update 1 -frames:v 1", "color=black:s=32x32:r=25"));
    EXPECT_NE(black->conversion_note().find("full range"), std::string::npos) << black->conversion_note();
    EXPECT_NEAR(black->read()->luma().view().at(5, 5), 16, 1);
}

TEST_F(LibavSource, FullRangeIsKeptWhereAsked) {
    SourceOptions kept;
    kept.keep_full_range = true;
    const auto white = open_source(make("white.png", "-update 1 -frames:v 1", white_rgb), kept);
    EXPECT_NE(white->conversion_note().find("0 to 255"), std::string::npos) << white->conversion_note();
    EXPECT_EQ(white->read()->luma().view().at(5, 5), 255);
    EXPECT_TRUE(white->format().full_range);
    EXPECT_FALSE(open_source(scratch_.path("white.png"))->format().full_range);
    make("x.y4m", "-pix_fmt yuv420p");
    const std::string full = make("x.mkv", "-vf format=yuv420p,setparams=range=pc -c:v libvpx-vp9 -lossless 1");
    const auto expected = open_source(scratch_.path("x.y4m"))->read();
    EXPECT_TRUE(test::equal(*open_source(full, kept)->read(), *expected));
    EXPECT_EQ(open_source(full, kept)->conversion_note(), "");
    // Where it is not, the range counts though the format's name does not say it.
    const auto limited = open_source(full)->read();
    for (int x = 0; x < 64; ++x) {
        const int sample = expected->luma().view().at(x, 20);
        ASSERT_NEAR(limited->luma().view().at(x, 20), 16 + sample * 219 / 255.0, 1) << x;
    }
}

TEST_F(LibavSource, RgbOf16BitsIsThatOf8) {
    std::string plain, fine;
    for (int i = 0; i < 32 * 32 * 3; ++i) {
        const auto sample = static_cast<char>(i * 7 + i / 96 * 31);
        plain += sample;
        // As far from the 8-bit number as one that is rounded to it may be.
        const int nearly = std::clamp(static_cast<unsigned char>(sample) * 257 + (i % 2 == 0 ? 128 : -128), 0, 65535);
        fine += {static_cast<char>(nearly >> 8), static_cast<char>(nearly)};
    }
    const auto of_8 = open_source(scratch_.file("a.ppm", "P6\n32 32\n255\n" + plain));
    const auto of_16 = open_source(scratch_.file("b.ppm", "P6\n32 32\n65535\n" + fine));
    EXPECT_NE(of_16->conversion_note().find("rgb48"), std::string::npos) << of_16->conversion_note();
    EXPECT_TRUE(test::equal(*of_16->read(), *of_8->read()));
}

TEST_F(LibavSource, SaysThatAFileAsksForRotation) {
    std::string bytes = test::contents(make("x.mp4", "-c:v mpeg4 -pix_fmt yuv420p"));
    const std::size_t header = bytes.find("tkhd");
    ASSERT_NE(header, std::string::npos);
    // ISO/IEC 14496-12 clause 8.3.2: the matrix stands after 40 bytes.
    const std::string quarter_turn("\0\0\0\0\0\1\0\0\0\0\0\0\xFF\xFF\0\0\0\0\0\0", 20);
    bytes.replace(header + 4 + 40, quarter_turn.size(), quarter_turn);
    const auto turned = open_source(scratch_.file("y.mp4", bytes));
    EXPECT_NE(turned->conversion_note().find("rotate by"), std::string::npos) << turned->conversion_note();
}

TEST_F(LibavSource, SaysWhatItLeavesOut) {
    const auto uneven =
        open_source(make("v.mkv", "-vf \"select='lt(n,3)+not(mod(n,4))'\" -c:v ffv1", "testsrc2=s=64x48:r=25:d=4"));
    while (uneven->read()) {
    }
    EXPECT_NE(uneven->conversion_note().find("uneven"), std::string::npos) << uneven->conversion_note();
    SourceOptions rate;
    rate.frame_rate = Rational{25, 1};
    const auto forced = open_source(scratch_.path("v.mkv"), rate);
    while (forced->read()) {
    }
    EXPECT_EQ(forced->conversion_note(), "") << "--fps says that times do not count";
    const auto loud = open_source(
        make("s.mkv", "-t 0.4 -c:v ffv1 -pix_fmt yuv420p -c:a pcm_s16le", "testsrc2=s=64x48:r=25 -f lavfi -i sine"));
    EXPECT_NE(loud->conversion_note().find("sound is left out"), std::string::npos) << loud->conversion_note();
    const auto two = open_source(make("2.mkv", "-map 0 -map 0 -c:v ffv1 -pix_fmt yuv420p"));
    EXPECT_NE(two->conversion_note().find("another video in it is left out"), std::string::npos)
        << two->conversion_note();
    for (const char* name : {"x.mkv", "x.mp4", "x.ts", "x.avi", "x.m2v"}) {
        const auto even =
            open_source(make(name, "-c:v mpeg2video -bf 2 -pix_fmt yuv420p", "testsrc2=s=64x48:r=30000/1001"));
        while (even->read()) {
        }
        EXPECT_EQ(even->conversion_note(), "") << name;
    }
}

// libavcodec 59 ended the process at one of these, or at several.
TEST_F(LibavSource, DamagedMpeg4IsAnErrorToo) {
    const std::string whole = test::contents(make("x.avi", "-c:v mpeg4", "mandelbrot=s=352x288:r=25"));
    int refused = 0;
    for (std::size_t at = whole.size() / 5; at < whole.size() * 4 / 5; at += 1500) {
        const std::string path =
            scratch_.file("y.avi", std::string(whole).replace(at, 4, std::string(4, static_cast<char>(0xFF))));
        try {
            count(*open_source(path));
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
}

TEST_F(LibavSource, KnowsColourAspectAndRate) {
    const auto source = open_source(make("x.mkv",
                                         "-vf setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709 "
                                         "-c:v ffv1 -pix_fmt yuv420p -aspect 16:9",
                                         "testsrc2=s=64x48:r=30000/1001"));
    EXPECT_EQ(source->format().colour, (ColourDescription{1, 1, 1}));
    EXPECT_EQ(source->conversion_note(), "");
    EXPECT_EQ(source->format().sample_aspect, (Rational{4, 3}));
    EXPECT_EQ(source->format().frame_rate, (Rational{30000, 1001}));
    SourceOptions options;
    options.frame_rate = Rational{24, 1};
    EXPECT_EQ(open_source(scratch_.path("x.mkv"), options)->format().frame_rate, (Rational{24, 1}));
}

TEST_F(LibavSource, CodePointsThatMpeg2DoesNotKnowAreUnspecified) {
    const auto source = open_source(make("x.mkv", "-vf setparams=colorspace=bt2020nc:color_primaries=bt2020:"
                                                  "color_trc=smpte2084 -c:v ffv1 -pix_fmt yuv420p"));
    EXPECT_EQ(source->format().colour, ColourDescription{});
    EXPECT_EQ(source->format().colours_without_code, "primaries bt2020, transfer smpte2084, matrix bt2020nc");
}

TEST_F(LibavSource, TheReservedCodePointIsUnspecified) {
    const std::string bytes = test::contents(make("x.m2v", "-vf setparams=colorspace=bt709:color_primaries=bt709:"
                                                           "color_trc=bt709 -c:v mpeg2video -pix_fmt yuv420p"));
    EXPECT_EQ(open_source(scratch_.path("x.m2v"))->format().colour, (ColourDescription{1, 1, 1}));
    const std::size_t display = bytes.find("\xB5\x2B\1\1\1"); // 13818-2 clause 6.2.2.4.
    ASSERT_NE(display, std::string::npos);
    const std::string reserved = std::string(bytes).replace(display + 2, 3, "\3\3\3");
    EXPECT_EQ(open_source(scratch_.file("y.m2v", reserved))->format().colour, ColourDescription{});
}

TEST_F(LibavSource, RgbOfMoreThan576RowsIsOfHighDefinition) {
    for (const auto& [rows, matrix] : {std::pair{576, 6}, {577, 1}}) {
        const std::string samples(static_cast<std::size_t>(rows) * 2 * 3, 'x');
        const auto source = open_source(scratch_.file("x.ppm", "P6\n2 " + std::to_string(rows) + "\n255\n" + samples));
        EXPECT_EQ(source->format().colour.matrix, matrix) << rows;
    }
}

TEST_F(LibavSource, OddSizes) {
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 33}, {35, 2}}) {
        const std::string size = std::to_string(width) + "x" + std::to_string(height);
        const auto source = open_source(make("x.mkv", "-c:v ffv1 -pix_fmt yuv420p", "testsrc=s=" + size + ":r=25"));
        EXPECT_EQ(source->format().width, width);
        EXPECT_EQ(source->format().height, height);
        EXPECT_EQ(count(*source), 10);
    }
}

TEST_F(LibavSource, AFileThatIsCutOffIsAnError) {
    // FFV1 decodes what is left without a word, so that only the demuxer knows; MPEG-2 complains by itself.
    for (const auto& [name, codec] :
         {std::pair{"a.mkv", "ffv1"}, {"b.mkv", "mpeg2video"}, {"c.mp4", "mpeg2video"}, {"d.avi", "ffv1"}}) {
        const std::string options = std::string("-c:v ") + codec + " -pix_fmt yuv420p -movflags faststart";
        const std::string whole = test::contents(make(name, options));
        const std::string path = scratch_.file(std::string("cut_") + name, whole.substr(0, whole.size() * 6 / 10));
        try {
            const auto source = open_source(path);
            count(*source);
            ADD_FAILURE() << name << " passed although cut off";
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
        }
    }
}

/// The file with 40 bytes in its middle turned over.
std::string damaged(std::string bytes) {
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    return bytes;
}

TEST_F(LibavSource, ADamagedPictureIsAnError) {
    for (const char* codec : {"mpeg2video -q:v 2 -pix_fmt yuv420p", "png"}) {
        const std::string whole = test::contents(make("x.mkv", std::string("-c:v ") + codec));
        const std::string path = scratch_.file("damaged.mkv", damaged(whole));
        EXPECT_THROW(count(*open_source(path)), InputError) << codec;
    }
}

TEST_F(LibavSource, WhatADecoderOnlyComplainsOfIsNoted) {
    const std::string whole = test::contents(make("x.mkv", "-c:v ffv1 -slicecrc 1 -pix_fmt yuv420p"));
    const auto source = open_source(scratch_.file("damaged.mkv", damaged(whole)));
    EXPECT_EQ(source->conversion_note(), "");
    EXPECT_EQ(count(*source), 10);
    EXPECT_NE(source->conversion_note().find("times, at first: slice CRC mismatch"), std::string::npos)
        << source->conversion_note();
}

TEST_F(LibavSource, WhatComesBeforeTheFirstEntryPointIsLeftOut) {
    const std::string whole = test::contents(make("x.m2v", "-c:v mpeg2video -g 5 -bf 0 -pix_fmt yuv420p"));
    const std::size_t second_picture =
        whole.find(std::string("\0\0\1\0", 4), whole.find(std::string("\0\0\1\0", 4)) + 4);
    const auto source = open_source(scratch_.file("late.m2v", whole.substr(second_picture)));
    EXPECT_EQ(count(*source), 5);
}

TEST_F(LibavSource, SoundAloneIsRefused) {
    const auto made = test::run("ffmpeg -v error -f lavfi -i sine=d=0.2 " + scratch_.path("x.wav"));
    ASSERT_EQ(made.status, 0) << made.output;
    try {
        open_source(scratch_.path("x.wav"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("no video stream"), std::string::npos) << error.what();
    }
}

TEST_F(LibavSource, NamesThatLookLikeUrlsAreFiles) {
    const std::string made = make("x.mkv", "-c:v ffv1 -pix_fmt yuv420p");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(scratch_.path("."));
    for (const char* odd : {"data:%03d [x].mkv", "concat:a|b.mkv"}) {
        std::filesystem::copy_file(made, odd);
        EXPECT_EQ(count(*open_source(odd)), 10) << odd;
    }
    std::filesystem::current_path(before);
}

TEST(NoLibavSource, SaysThatThisBuildReadsY4mAndYuvOnly) {
    if (built_with_libav()) GTEST_SKIP() << "this build has FFmpeg";
    const test::Scratch scratch;
    try {
        open_source(scratch.file("x.mkv", "\x1A\x45\xDF\xA3 and more"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("y4m and yuv only"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace tandem
