// SPDX-License-Identifier: BSD-2-Clause
// A person's way: a phone's .mp4, with pictures at uneven times, sound and a turn, becomes files that others read, with
// the sound in step. The ffmpeg command makes the one and reads the others.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem::test {
namespace {

/// What a shell's command prints.
std::string printed_by(const std::string& command) {
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::string text;
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
        text.append(part.data(), count);
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return text;
}

class Phone : public testing::Test {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
        if (std::system("ffmpeg -version > /dev/null 2>&1 && ffprobe -version > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "the ffmpeg command is not installed";
        // 3 s of 30 a second, of which every tenth is missing; a sound that begins at once.
        make("phone.mp4", "-vf \"select='not(eq(mod(n,10),3))',settb=1/90000\" -vsync vfr -c:v mpeg4 -q:v 5 -c:a aac "
                          "-metadata title=Holiday");
        turn(folder_ / "phone.mp4");
    }

    void make(const std::string& name, const std::string& options, const std::string& length = "3") {
        const std::string command =
            "cd '" + folder_.path() + "' && ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=30:d=" + length +
            " -f lavfi -i sine=440:d=" + length + " -pix_fmt yuv420p -bf 0 " + options + " " + name;
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }

    /// ISO/IEC 14496-12 clause 8.3.2: the matrix stands after 40 bytes of the first track's header.
    static void turn(const std::string& path) {
        std::string bytes = read_file(path);
        const std::size_t header = bytes.find("tkhd");
        ASSERT_NE(header, std::string::npos);
        const std::string quarter_turn("\0\0\0\0\0\1\0\0\0\0\0\0\xFF\xFF\0\0\0\0\0\0", 20);
        bytes.replace(header + 4 + 40, quarter_turn.size(), quarter_turn);
        write_file(path, bytes);
    }

    std::string probe(const std::string& name, const std::string& what) const {
        return printed_by("cd '" + folder_.path() + "' && ffprobe -v error -of csv=p=0 " + what + " " + name);
    }
    double number(const std::string& name, const std::string& what) const {
        const std::string text = probe(name, what);
        return text.empty() ? std::nan("") : std::strtod(text.c_str(), nullptr);
    }
    double first_time(const std::string& name, const std::string& stream) const {
        return number(name, "-select_streams " + stream + " -show_entries packet=pts_time -read_intervals '%+#1'");
    }
    int pictures(const std::string& name) const {
        return static_cast<int>(number(name, "-select_streams v:0 -count_frames -show_entries stream=nb_read_frames"));
    }
    /// Seconds from the first to the end of the last packet of a stream.
    double length(const std::string& name, const std::string& stream) const {
        const std::string times = probe(name, "-select_streams " + stream + " -show_entries packet=pts_time");
        double least = 1e9, most = -1e9;
        for (const char* at = times.c_str(); *at != '\0';) {
            char* end = nullptr;
            const double time = std::strtod(at, &end);
            if (end != at) {
                least = std::min(least, time);
                most = std::max(most, time);
            }
            for (at = end == at ? at + 1 : end; *at != '\0' && *at != '\n';)
                ++at;
        }
        return most - least;
    }
    Outcome encode(std::vector<std::string> words) {
        words.insert(words.begin(), {"encode", "phone.mp4"});
        return run_command(folder_.path(), words);
    }

    TemporaryFolder folder_;
};

TEST_F(Phone, BecomesFilesThatOthersReadWithSoundInStep) {
    const double source_offset = first_time("phone.mp4", "a:0") - first_time("phone.mp4", "v:0");
    const double source_sound = length("phone.mp4", "a:0");
    for (const char* name : {"a.mkv", "a.mp4", "a.mov", "a.ts", "a.avi"}) {
        const Outcome outcome = encode({"-o", name});
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_NE(outcome.errors.find("9 are repeated and 0 left out, to come at 30 a second"), std::string::npos)
            << outcome.errors;
        EXPECT_EQ(pictures(name), 90) << name;
        EXPECT_EQ(probe(name, "-select_streams a:0 -show_entries stream=codec_name").substr(0, 3), "aac") << name;
        EXPECT_NEAR(length(name, "a:0"), source_sound, 0.03) << name;
        const double offset = first_time(name, "a:0") - first_time(name, "v:0");
        EXPECT_NEAR(offset, source_offset, 1.0 / 30) << name;
        const std::string decoded =
            printed_by("cd '" + folder_.path() + "' && ffmpeg -v error -xerror -i " + name + " -f null - 2>&1");
        EXPECT_EQ(decoded, "") << name;
    }
}

TEST_F(Phone, KeepsItsTurnAndItsTitleOrSaysSo) {
    ASSERT_EQ(encode({"-o", "a.mp4"}).code, 0);
    EXPECT_NE(probe("a.mp4", "-select_streams v:0 -show_entries stream_side_data=rotation").find("90"),
              std::string::npos);
    EXPECT_NE(probe("a.mp4", "-show_entries format_tags=title").find("Holiday"), std::string::npos);
    // What cannot ask players for the turn has turned pictures.
    for (const char* name : {"a.ts", "a.mkv", "a.m2v"}) {
        const Outcome outcome = encode({"-o", name});
        const bool is_turned = outcome.errors.find("they are turned") != std::string::npos;
        const bool is_said = outcome.errors.find("asks players to rotate") != std::string::npos;
        EXPECT_TRUE(is_turned != is_said) << outcome.errors;
        EXPECT_EQ(number(name, "-select_streams v:0 -show_entries stream=width"), is_turned ? 48 : 64) << name;
    }
}

TEST_F(Phone, SoundThatAContainerCannotHoldIsSaidToBeLeftOut) {
    const Outcome outcome = encode({"-o", "a.mpg"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("left out: sound (aac); .mkv can hold it"), std::string::npos) << outcome.errors;
    EXPECT_EQ(probe("a.mpg", "-select_streams a -show_entries stream=codec_name"), "");
    make("phone.mp4", "-c:v mpeg4 -c:a mp2");
    ASSERT_EQ(encode({"-o", "b.mpg"}).code, 0);
    EXPECT_NEAR(length("b.mpg", "a:0"), length("phone.mp4", "a:0"), 0.03);
}

TEST_F(Phone, EverySoundThatAContainerCanHoldIsKept) {
    // FLAC in .mp4 is an experiment to some muxers, and a fault in .mov to all: no sound may cost the pictures.
    for (const char* codec : {"flac", "alac"}) {
        if (std::system(("ffmpeg -v error -h encoder=" + std::string(codec) + " 2>&1 | grep -q ^Encoder").c_str()) != 0)
            continue;
        make("sound.mkv", "-c:v mpeg4 -strict -2 -c:a " + std::string(codec), "0.2");
        for (const char* name : {"a.mkv", "a.mp4", "a.mov", "a.ts"}) {
            const Outcome outcome = run_command(folder_.path(), {"encode", "sound.mkv", "-o", name});
            ASSERT_EQ(outcome.code, 0) << codec << " " << name << outcome.errors;
            const bool is_there =
                probe(name, "-select_streams a -show_entries stream=codec_type").find("audio") != std::string::npos;
            const bool is_missed = outcome.errors.find("left out: sound") != std::string::npos;
            EXPECT_TRUE(is_there != is_missed) << codec << " " << name << outcome.errors;
        }
    }
}

TEST_F(Phone, CoversAndAttachedFilesGoAlong) {
    make("picture.png", "-map 0:v -frames:v 1", "0.1");
    const std::string command =
        "cd '" + folder_.path() +
        "' && ffmpeg -v error -y -i phone.mp4 -i picture.png -map 0 -map 1 -c copy -c:v:1 png -disposition:v:1 "
        "attached_pic cover.mp4 && ffmpeg -v error -y -i phone.mp4 -c copy -attach phone.mp4 -metadata:s:t "
        "mimetype=application/x-font letter.mkv";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const char* name : {"a.mp4", "a.mkv"}) {
        const Outcome outcome = run_command(folder_.path(), {"encode", "cover.mp4", "-o", name});
        EXPECT_EQ(outcome.errors.find("left out: "), std::string::npos) << outcome.errors;
        EXPECT_NE(probe(name, "-select_streams v:1 -show_entries stream_disposition=attached_pic").find("1"),
                  std::string::npos)
            << name;
        const std::string again = "cd '" + folder_.path() + "' && ffmpeg -v error -y -i " + name +
                                  " -map 0:v:1 -c copy -f image2 again.png && cmp again.png picture.png";
        EXPECT_EQ(std::system(again.c_str()), 0) << name;
    }
    EXPECT_NE(run_command(folder_.path(), {"encode", "cover.mp4", "-o", "a.ts"}).errors.find("a cover picture"),
              std::string::npos);
    ASSERT_EQ(run_command(folder_.path(), {"encode", "letter.mkv", "-o", "b.mkv"}).code, 0);
    EXPECT_NE(probe("b.mkv", "-select_streams t -show_entries stream_tags=filename").find("phone.mp4"),
              std::string::npos);
    EXPECT_NE(run_command(folder_.path(), {"encode", "letter.mkv", "-o", "b.mp4"}).errors.find("an attachment"),
              std::string::npos);
}

/// Of lines "time,figure" the time of the first whose figure is above a limit, and its number.
std::pair<double, int> first_above(const std::string& lines, double limit) {
    int number = 0;
    for (std::size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1, ++number) {
        const std::string line = lines.substr(begin, end - begin);
        const std::size_t comma = line.find(',');
        if (comma == std::string::npos || line.find("inf") != std::string::npos) continue;
        if (std::strtod(line.c_str() + comma + 1, nullptr) > limit) return {std::strtod(line.c_str(), nullptr), number};
    }
    return {std::nan(""), -1};
}

TEST_F(Phone, AFlashAndItsBeepStayTogether) {
    const auto filmed = [&](const std::string& sound, const std::string& name) {
        return std::system(
            ("cd '" + folder_.path() +
             "' && ffmpeg -v error -y -f lavfi -i \"color=black:s=64x48:r=30:d=3,"
             "drawbox=c=white:t=fill:enable='between(t,1.99,2.2)'\" -f lavfi -i "
             "\"aevalsrc='if(between(t,2,2.2),sin(2*PI*1000*t),0)':s=44100:d=3\" -pix_fmt yuv420p -bf 0 -vf "
             "\"select='not(eq(mod(n,10),3))',settb=1/90000\" -vsync vfr -c:v mpeg4 -q:v 5 -c:a " +
             sound + " " + name)
                .c_str());
    };
    ASSERT_EQ(filmed("aac", "phone.mp4"), 0);
    ASSERT_EQ(filmed("mp2", "old.mkv"), 0);
    turn(folder_ / "phone.mp4");
    const auto flash_in = [&](const std::string& name) {
        const std::string frames = probe("", "-show_entries frame=pts_time:frame_tags=lavfi.signalstats.YAVG -f lavfi "
                                             "movie=" +
                                                 name + ",signalstats");
        const auto [time, picture] = first_above(frames, 120);
        return std::pair(picture, time);
    };
    const auto beep_in = [&](const std::string& name) {
        return first_above(probe("", "-show_entries frame=pts_time:frame_tags=lavfi.astats.Overall.Peak_level -f lavfi "
                                     "amovie=" +
                                         name + ",asetnsamples=n=128,astats=metadata=1:reset=1"),
                           -10)
            .first;
    };
    struct Film {
        const char *from, *to;
        std::vector<std::string> options;
        int flash; ///< The picture's number.
    };
    for (const Film& film : {Film{"phone.mp4", "a.mkv", {}, 60},
                             {"phone.mp4", "a.mp4", {}, 60},
                             {"phone.mp4", "a.mov", {}, 60},
                             {"phone.mp4", "a.ts", {}, 60},
                             {"phone.mp4", "a.avi", {}, 60},
                             {"old.mkv", "a.mpg", {}, 60},
                             {"phone.mp4", "part.mkv", {"--seek", "0:01.2"}, 24},
                             {"phone.mp4", "part.mp4", {"--seek", "30", "--fps", "25"}, 20}}) {
        std::vector<std::string> words{"encode", film.from, "-o", film.to};
        words.insert(words.end(), film.options.begin(), film.options.end());
        ASSERT_EQ(run_command(folder_.path(), words).code, 0) << film.to;
        const auto [picture, time] = flash_in(film.to);
        EXPECT_EQ(picture, film.flash) << film.to;
        // Pictures in .avi have no times but their numbers: ffprobe makes up others.
        const double flash = film.to == std::string("a.avi") ? picture / 30.0 : time;
        EXPECT_NEAR(beep_in(film.to) - flash, 0, 0.02) << film.to << ", less than a picture";
    }
}

TEST_F(Phone, PlaysInOtherPlayers) {
    bool played = false;
    ASSERT_EQ(encode({"-o", "a.mkv"}).code, 0);
    ASSERT_EQ(encode({"-o", "a.mp4"}).code, 0);
    const auto plays = [&](const std::string& program, const std::string& command) {
        if (std::system((program + " --version > /dev/null 2>&1").c_str()) != 0) return;
        played = true;
        const std::string line = "cd '" + folder_.path() + "' && timeout 60 " + command + " > player.txt 2>&1";
        EXPECT_EQ(std::system(line.c_str()), 0) << program << ": " << read_file(folder_ / "player.txt");
    };
    for (const std::string name : {"a.mkv", "a.mp4"}) {
        plays("mpv",
              "mpv --no-config --vo=null --ao=null --untimed --msg-level=all=warn " + name + " && ! grep . player.txt");
        plays("gst-launch-1.0", "gst-launch-1.0 -q playbin uri=file://$PWD/" + name +
                                    " video-sink='fakesink sync=false' audio-sink='fakesink sync=false'");
    }
    if (!played) GTEST_SKIP() << "neither mpv nor GStreamer is installed; ffmpeg and ffprobe read all files";
}

TEST_F(Phone, ARangeIsDeclaredWhereAContainerCanSayIt) {
    const auto declared = [&](const char* range, const char* name) {
        return encode(
            {"-o", name, "--range", range, "--colorprim", "bt709", "--transfer", "bt709", "--colormatrix", "bt709"});
    };
    for (const auto& [range, element, last] : {std::tuple{"limited", '\x01', '\0'}, {"full", '\x02', '\x80'}}) {
        ASSERT_EQ(declared(range, "a.mkv").code, 0);
        const std::string matroska = read_file(folder_ / "a.mkv");
        const std::size_t at = matroska.find("\x55\xB9\x81"); // Range, of Matroska's element Colour.
        ASSERT_NE(at, std::string::npos);
        EXPECT_EQ(matroska[at + 3], element) << range;
        ASSERT_EQ(declared(range, "a.mp4").code, 0);
        const std::string mp4 = read_file(folder_ / "a.mp4");
        const std::size_t box = mp4.find("nclx"); // ISO/IEC 14496-12 clause 12.1.5: full_range_flag is the last.
        ASSERT_NE(box, std::string::npos);
        EXPECT_EQ(mp4[box + 10], last) << range;
    }
    const Outcome stream = declared("full", "a.m2v");
    EXPECT_EQ(stream.code, 0);
    EXPECT_NE(stream.errors.find("luma of 0 to 255 is said nowhere"), std::string::npos) << stream.errors;
    EXPECT_EQ(declared("limited", "a.m2v").errors.find("said nowhere"), std::string::npos);
    EXPECT_EQ(encode({"-o", "a.m2v", "--range", "wide"}).code, 2);
    EXPECT_EQ(encode({"-o", "a.m2v", "--range", "16"}).code, 0) << "the reach of the search";
}

TEST_F(Phone, SoundIsLeftOutWhereAsked) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--no-audio"}, {"--audio-codec", "none"}}) {
        std::vector<std::string> all{"-o", "a.mkv"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = encode(all);
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_EQ(outcome.errors.find("sound"), std::string::npos) << outcome.errors;
        EXPECT_EQ(probe("a.mkv", "-show_entries stream=codec_type").find("audio"), std::string::npos);
    }
    EXPECT_NE(encode({"-o", "a.m2v"}).errors.find("sound is left out"), std::string::npos);
}

TEST_F(Phone, APartIsCutWithItsSound) {
    ASSERT_EQ(encode({"-o", "a.mkv", "--seek", "1", "--seek", "0:01.0", "--duration", "1"}).code, 0);
    EXPECT_EQ(pictures("a.mkv"), 30);
    EXPECT_NEAR(length("a.mkv", "a:0"), 1, 0.05);
    EXPECT_NEAR(first_time("a.mkv", "a:0"), first_time("a.mkv", "v:0"), 0.035);
    ASSERT_EQ(encode({"-o", "b.mkv", "--seek", "30", "--frames", "30"}).code, 0);
    EXPECT_EQ(read_file(folder_ / "a.mkv"), read_file(folder_ / "b.mkv")) << "a second is 30 pictures";
}

TEST_F(Phone, PicturesThatBeginLaterWaitInTheNewFileToo) {
    make("late.ts", "-vf \"select='gte(n,6)'\" -vsync passthrough -c:v mpeg2video -c:a mp2");
    const Outcome outcome = run_command(folder_.path(), {"encode", "late.ts", "-o", "a.mkv"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_NEAR(first_time("a.mkv", "v:0") - first_time("a.mkv", "a:0"),
                first_time("late.ts", "v:0") - first_time("late.ts", "a:0"), 0.002);
    EXPECT_GT(first_time("a.mkv", "v:0") - first_time("a.mkv", "a:0"), 0.15) << "the test would see nothing";
}

TEST_F(Phone, RatesAreResampledAndAssumed) {
    ASSERT_EQ(encode({"-o", "a.mkv", "--fps", "50"}).code, 0);
    EXPECT_EQ(pictures("a.mkv"), 150);
    const Outcome assumed = encode({"-o", "b.mkv", "--assume-fps", "25"});
    ASSERT_EQ(assumed.code, 0);
    EXPECT_EQ(pictures("b.mkv"), 81) << "each picture once";
    EXPECT_NE(assumed.errors.find("sound is left out"), std::string::npos) << assumed.errors;
}

} // namespace
} // namespace tandem::test
