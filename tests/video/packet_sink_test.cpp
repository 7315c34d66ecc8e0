// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "grey_stream.h"
#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/codec.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/open_packet_sink.h"
#include "video/source.h"

namespace tandem {
namespace {

using test::GreyPicture;

VideoFormat grey_format() {
    VideoFormat format;
    format.width = 16;
    format.height = 16;
    format.sample_aspect = {1, 1};
    return format;
}

void write_all(PacketSink& sink, const std::vector<GreyPicture>& stream) {
    std::int64_t coding_index = 0;
    for (const GreyPicture& picture : stream) {
        sink.write({test::as_bytes(picture.bytes), picture.display_index, coding_index++, picture.type == 'I'});
    }
}

std::string joined(const std::vector<GreyPicture>& stream) {
    std::string bytes;
    for (const GreyPicture& picture : stream)
        bytes += picture.bytes;
    return bytes + test::sequence_end_code();
}

TEST(ElementaryStreamSink, WritesThePacketsAsTheyAre) {
    const test::Scratch scratch;
    const auto stream = test::grey_stream(Codec::mpeg2, 5, true);
    for (const char* name : {"x.m2v", "x.m1v", "x.mpv", "x.m2ve", "x.bin", "x.M2V"}) {
        const auto sink = open_packet_sink(scratch.path(name), Codec::mpeg2, grey_format());
        write_all(*sink, stream);
        EXPECT_FALSE(std::filesystem::exists(scratch.path(name)));
        sink->finish(test::as_bytes(test::sequence_end_code()));
        EXPECT_EQ(test::contents(scratch.path(name)), joined(stream)) << name;
    }
}

TEST(ElementaryStreamSink, DevicesNeedNoExtension) {
    const auto sink = open_packet_sink("/dev/null", Codec::mpeg2, grey_format());
    write_all(*sink, test::grey_stream(Codec::mpeg2, 5, true));
    sink->finish({});
    const auto full = open_packet_sink("/dev/full", Codec::mpeg2, grey_format());
    EXPECT_THROW(
        {
            write_all(*full, test::grey_stream(Codec::mpeg2, 5, true));
            full->finish({});
        },
        RunError);
}

TEST(PacketSink, RefusesExtensionsItDoesNotKnow) {
    const test::Scratch scratch;
    for (const char* name : {"x", "x.h264", "x.txt", "x.m2v.", ".m2v", "x.mp3"}) {
        try {
            open_packet_sink(scratch.path(name), Codec::mpeg2, grey_format());
            FAIL() << name << " was accepted";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(".m2v"), std::string::npos) << "the message lists what is known";
        }
    }
    EXPECT_THROW(open_packet_sink(scratch.path("missing/x.m2v"), Codec::mpeg2, grey_format()), InputError);
    EXPECT_TRUE(scratch.names().empty());
}

TEST(PacketSink, ContainersNeedFfmpeg) {
    if (built_with_libav()) GTEST_SKIP() << "this build has FFmpeg";
    const test::Scratch scratch;
    EXPECT_THROW(open_packet_sink(scratch.path("x.mkv"), Codec::mpeg2, grey_format()), InputError);
}

struct Container {
    const char* extension;
    const char* format_name; ///< As ffprobe says it.
    const char* first_pts;   ///< In seconds.
};

void PrintTo(const Container& container, std::ostream* out) { *out << container.extension; }

// Program and transport streams begin after the decoder's delay; AVI has no presentation times.
const Container containers[] = {{".mpg", "mpeg", ""},
                                {".mpeg", "mpeg", ""},
                                {".vob", "mpeg", ""},
                                {".ts", "mpegts", ""},
                                {".m2ts", "mpegts", ""},
                                {".mkv", "matroska,webm", "0.000000"},
                                {".mp4", "mov,mp4,m4a,3gp,3g2,mj2", "0.000000"},
                                {".mov", "mov,mp4,m4a,3gp,3g2,mj2", "0.000000"},
                                {".avi", "avi", ""}};

class Containers : public testing::TestWithParam<std::tuple<Container, Codec, bool>> {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    }
    Container container() const { return std::get<0>(GetParam()); }
    Codec codec() const { return std::get<1>(GetParam()); }
    bool b_pictures() const { return std::get<2>(GetParam()); }
    std::vector<GreyPicture> stream() const { return test::grey_stream(codec(), 11, b_pictures()); }
    std::string write(const test::Scratch& scratch, const std::string& name) const {
        const std::string path = scratch.path(name + container().extension);
        const auto sink = open_packet_sink(path, codec(), grey_format());
        write_all(*sink, stream());
        EXPECT_FALSE(std::filesystem::exists(path)) << "nothing under the name before the end";
        sink->finish(test::as_bytes(test::sequence_end_code()));
        return path;
    }
};

TEST_P(Containers, GiveThePicturesBackInDisplayOrder) {
    const test::Scratch scratch;
    const auto source = open_source(write(scratch, "x"));
    EXPECT_EQ(source->format().frame_rate, (Rational{25, 1}));
    EXPECT_EQ(source->format().sample_aspect, (Rational{1, 1}));
    for (int i = 0; i < 11; ++i) {
        const auto frame = source->read();
        ASSERT_TRUE(frame) << i;
        EXPECT_EQ(frame->luma().view().at(3, 4), test::grey_luma(i)) << i;
    }
    EXPECT_FALSE(source->read());
    EXPECT_EQ(scratch.names().size(), 1U);
}

TEST_P(Containers, AreTheSameBytesEachTime) {
    const test::Scratch scratch;
    EXPECT_EQ(test::contents(write(scratch, "a")), test::contents(write(scratch, "b")));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

TEST_P(Containers, HaveRightTimesForFfprobe) {
    if (!test::have_program("ffprobe")) GTEST_SKIP() << "the ffprobe command is not installed";
    const test::Scratch scratch;
    const std::string path = write(scratch, "x");
    const auto probed = test::run("ffprobe -v error -of default=nw=1 -select_streams v -show_entries "
                                  "format=format_name:stream=codec_name:frame=best_effort_timestamp_time " +
                                  path);
    std::vector<std::string> times;
    std::string format_name, codec_name;
    for (const std::string& line : lines_of(probed.output)) {
        const std::string value = line.substr(line.find('=') + 1);
        if (line.starts_with("best_effort_timestamp_time=")) times.push_back(value);
        if (line.starts_with("format_name=")) format_name = value;
        if (line.starts_with("codec_name=")) codec_name = value;
    }
    EXPECT_EQ(format_name, container().format_name);
    EXPECT_EQ(codec_name, codec() == Codec::mpeg1 ? "mpeg1video" : "mpeg2video");
    ASSERT_EQ(times.size(), 11U) << probed.output;
    if (container().first_pts[0] != '\0') {
        EXPECT_EQ(times[0], container().first_pts);
    }
    // AVI has no presentation times, and ffprobe takes the first picture's from elsewhere.
    const bool avi = std::string(container().extension) == ".avi";
    const double first = avi ? std::stod(times[1]) - 1.0 / 25 : std::stod(times[0]);
    for (std::size_t i = avi ? 1 : 0; i < times.size(); ++i) {
        // Pictures as small as these share packets of a program stream, and only the first of a packet has a time.
        if (times[i] == "N/A") continue;
        EXPECT_NEAR(std::stod(times[i]) - first, static_cast<double>(i) / 25, 0.0011) << i;
    }
}

TEST_P(Containers, SayWhichPicturesAreKeysAndWhenTheFirstIsDecoded) {
    if (!test::have_program("ffprobe")) GTEST_SKIP() << "the ffprobe command is not installed";
    const test::Scratch scratch;
    const auto probed = test::run("ffprobe -v error -of default=nw=1 -select_streams v -show_entries "
                                  "packet=pts_time,dts_time,flags " +
                                  write(scratch, "x"));
    std::vector<std::string> presented, decoded;
    std::string keys, intra;
    for (const std::string& line : lines_of(probed.output)) {
        const std::string value = line.substr(line.find('=') + 1);
        if (line.starts_with("pts_time=")) presented.push_back(value);
        if (line.starts_with("dts_time=")) decoded.push_back(value);
        if (line.starts_with("flags=")) keys += value[0] == 'K' ? 'K' : '-';
    }
    for (const GreyPicture& picture : stream())
        intra += picture.type == 'I' ? 'K' : '-';
    EXPECT_EQ(keys, intra);
    ASSERT_EQ(decoded.size(), 11U) << probed.output;
    const std::string extension = container().extension;
    if (extension == ".avi" || extension == ".mkv") return; // They have no presentation times, or none of decoding.
    // The first anchor waits for the next (13818-2 clause 6.3.5), also where no B picture comes between them.
    EXPECT_NEAR(std::stod(presented[0]) - std::stod(decoded[0]), 1.0 / 25, 1e-5);
}

TEST_P(Containers, DecodeInFfmpegWithoutAWord) {
    if (!test::have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    const test::Scratch scratch;
    const auto result =
        test::run("ffmpeg -v error -xerror -err_detect explode -threads 1 -i " + write(scratch, "x") + " -f null -");
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output, "");
}

TEST_P(Containers, UnfinishedLeaveNothing) {
    const test::Scratch scratch;
    const std::string path = scratch.path(std::string("x") + container().extension);
    write_all(*open_packet_sink(path, codec(), grey_format()), stream());
    EXPECT_TRUE(scratch.names().empty());
}

TEST_P(Containers, SeeAFullDiskAndKeepWhatWasThere) {
    const test::Scratch scratch;
    const std::string path = scratch.file(std::string("x") + container().extension, "before");
    try {
        const auto sink = open_packet_sink(path, codec(), grey_format());
        const test::FileSizeLimit limit(300);
        write_all(*sink, stream());
        sink->finish(test::as_bytes(test::sequence_end_code()));
        FAIL() << "nothing was said";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
    }
    EXPECT_EQ(test::contents(path), "before");
    EXPECT_EQ(scratch.names().size(), 1U);
}

TEST_P(Containers, GoIntoADeviceWhereTheyCan) {
    const test::Scratch scratch;
    const std::string extension = container().extension;
    const std::string path = scratch.path("x" + extension);
    std::filesystem::create_symlink("/dev/full", path);
    try {
        const auto sink = open_packet_sink(path, codec(), grey_format());
        write_all(*sink, stream());
        sink->finish(test::as_bytes(test::sequence_end_code()));
        FAIL() << "nothing was said";
    } catch (const InputError& error) {
        EXPECT_TRUE(extension == ".mp4" || extension == ".mov") << error.what();
        EXPECT_NE(std::string(error.what()).find("needs a file"), std::string::npos) << error.what();
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
    }
}

std::string container_label(const testing::TestParamInfo<std::tuple<Container, Codec, bool>>& info) {
    const auto& [container, codec, b_pictures] = info.param;
    return std::string(container.extension + 1) + (codec == Codec::mpeg1 ? "_mpeg1" : "_mpeg2") +
           (b_pictures ? "_B" : "_P");
}

INSTANTIATE_TEST_SUITE_P(All, Containers,
                         testing::Combine(testing::ValuesIn(containers), testing::Values(Codec::mpeg1, Codec::mpeg2),
                                          testing::Bool()),
                         container_label);

/// program_mux_rate of the first pack header, in units of 50 byte/s: 11172-1 clause 2.4.3.2, 13818-1 clause 2.5.3.3.
int mux_rate(const std::string& bytes, bool mpeg1) {
    const auto at = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(bytes.at(i))); };
    return mpeg1 ? (at(9) & 0x7F) << 15 | at(10) << 7 | at(11) >> 1 : at(10) << 14 | at(11) << 6 | at(12) >> 2;
}

TEST(LibavSink, ProgramStreamsAreAsFastAsTheVideoAndATenthMoreAtMost) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    const test::Scratch scratch;
    for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
        for (const int kbps : {1500, 9000}) {
            const auto sink = open_packet_sink(scratch.path("x.mpg"), codec, grey_format(), {.kbps = kbps});
            write_all(*sink, test::grey_stream(codec, 3, false));
            sink->finish({});
            const int units = mux_rate(test::contents(scratch.path("x.mpg")), codec == Codec::mpeg1);
            EXPECT_GE(units, kbps * 1000 / 400) << kbps;
            EXPECT_LE(units, kbps * 1100 / 400) << kbps;
        }
    }
}

TEST(LibavSink, WithoutAPictureIsAnError) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    const test::Scratch scratch;
    const auto sink = open_packet_sink(scratch.path("x.mkv"), Codec::mpeg2, grey_format());
    EXPECT_THROW(sink->finish({}), RunError);
}

TEST(LibavSink, ASinglePictureHasAllOfItsBytes) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    const test::Scratch scratch;
    for (const Container& container : containers) {
        const std::string path = scratch.path(std::string("x") + container.extension);
        const auto sink = open_packet_sink(path, Codec::mpeg2, grey_format());
        const auto stream = test::grey_stream(Codec::mpeg2, 1, false);
        write_all(*sink, stream);
        sink->finish(test::as_bytes(test::sequence_end_code()));
        const std::string bytes = test::contents(path);
        EXPECT_NE(bytes.find(joined(stream)), std::string::npos) << container.extension;
    }
}

} // namespace
} // namespace tandem
