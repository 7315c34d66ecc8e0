// SPDX-License-Identifier: BSD-2-Clause
// tandem motion --draw: files that everybody's programs show, painted by several threads.
#include <filesystem>

#include "motion_fixture.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem::test {
namespace {

class MotionDrawing : public MotionCommand {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to draw with";
        MotionCommand::SetUp();
    }
    bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
};

int pictures_in(const std::string& path) {
    const auto source = open_source(path);
    int count = 0;
    while (source->read())
        ++count;
    return count;
}

TEST_F(MotionDrawing, AnMp4IsH264WhereLibavcodecHasIt) {
    const Outcome outcome = motion({"--draw", "film.mp4"});
    const std::string film = read_file(folder_ / "film.mp4");
    const bool is_h264 = film.find("avc1") != std::string::npos;
    const bool said = outcome.errors.find("has no H.264 encoder here: this is MPEG-2") != std::string::npos;
    EXPECT_NE(is_h264, said) << outcome.errors;
    EXPECT_EQ(pictures_in(folder_ / "film.mp4"), frames - 1);
    motion({"--draw", "film.mpg"});
    const std::string sequence_header("\0\0\1\xB3", 4);
    EXPECT_NE(read_file(folder_ / "film.mpg").find(sequence_header), std::string::npos);
    EXPECT_EQ(pictures_in(folder_ / "film.mpg"), frames - 1);
}

TEST_F(MotionDrawing, OddSidesBecomeEven) {
    ASSERT_EQ(run({"synth", "--size", "1001x65", "--frames", "3", "-o", "odd.y4m"}).code, 0);
    const Outcome outcome = run({"motion", "odd.y4m", "--draw", "odd.mp4"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    if (read_file(folder_ / "odd.mp4").find("avc1") == std::string::npos) GTEST_SKIP() << "no H.264 encoder";
    EXPECT_EQ(open_source(folder_ / "odd.mp4")->format().width, 1002);
}

TEST_F(MotionDrawing, AGifRepeatsItsPictures) {
    motion({"--draw", "film.gif"});
    const std::string film = read_file(folder_ / "film.gif");
    EXPECT_EQ(film.substr(0, 6), "GIF89a");
    EXPECT_NE(film.find("NETSCAPE2.0"), std::string::npos) << "it repeats";
    const std::string control("\x21\xF9\x04", 3);
    int pictures = 0;
    for (std::size_t at = film.find(control); at != std::string::npos; at = film.find(control, at + 1)) {
        ++pictures;
        EXPECT_EQ(film[at + 4], 4) << "25 pictures a second are 4 hundredths each";
    }
    EXPECT_EQ(pictures, frames - 1);
}

TEST_F(MotionDrawing, NumberedNamesAreNumberedByPicture) {
    motion({"--draw", "a%03d.png", "--seek", "1"});
    EXPECT_FALSE(has("a001.png"));
    for (const char* name : {"a002.png", "a003.png", "a004.png"})
        EXPECT_TRUE(has(name)) << name;
    EXPECT_FALSE(has("a000.png")) << "what was tried before the search is gone";
    for (const char* bad : {"a%s.png", "a%d%d.png", "a%5d.png"}) {
        const Outcome outcome = run({"motion", "clip.y4m", "--draw", bad});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.errors.find("one %d or %01d to %09d"), std::string::npos) << outcome.errors;
    }
    const Outcome clash = run({"motion", "clip.y4m", "--draw", "a%03d.png", "--stats", "a002.png"});
    EXPECT_EQ(clash.code, 2);
    EXPECT_NE(clash.errors.find("is one of the files of --draw"), std::string::npos) << clash.errors;
    const Outcome input = run({"motion", "a002.png", "a003.png", "--draw", "a%03d.png"});
    EXPECT_EQ(input.code, 2) << input.errors;
}

TEST_F(MotionDrawing, ThreadsDoNotChangeIt) {
    for (const char* name : {"film.mp4", "film.gif", "film.m2v", "one.png"}) {
        motion({"--draw", name, "--threads", "1"});
        const std::string expected = read_file(folder_ / name);
        motion({"--draw", name, "--threads", "3"});
        EXPECT_TRUE(read_file(folder_ / name) == expected) << name;
    }
    motion({"--draw", "f/", "--threads", "3"});
    motion({"--draw", "p%06d.png", "--threads", "1"});
    for (int n = 1; n < frames; ++n) {
        const std::string number = "00000" + std::to_string(n) + ".png";
        EXPECT_TRUE(read_file(folder_ / ("f/" + number)) == read_file(folder_ / ("p" + number))) << number;
    }
}

TEST_F(MotionDrawing, WhatCannotBeWrittenIsSaid) {
    for (const char* name : {"nowhere/f.mp4", "nowhere/f.gif", "nowhere/%d.png"}) {
        const Outcome outcome = run({"motion", "clip.y4m", "--draw", name});
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_NE(outcome.errors.find("nowhere"), std::string::npos) << outcome.errors;
    }
    for (const char* name : {"f.mp4", "f.gif"}) {
        const LimitOfFileSizes small(4000);
        const Outcome outcome = run({"motion", "clip.y4m", "--draw", name});
        EXPECT_EQ(outcome.code, 1) << outcome.errors;
        EXPECT_NE(outcome.errors.find(name), std::string::npos) << outcome.errors;
        EXPECT_FALSE(has(name));
    }
}

} // namespace
} // namespace tandem::test
