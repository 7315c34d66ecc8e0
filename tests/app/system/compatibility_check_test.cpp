// SPDX-License-Identifier: BSD-2-Clause
// --compat: what is refused before, what is read of the stream after, and that a stream that breaks a limit is found.
#include "app/encode/rate/compatibility_check.h"

#include <gtest/gtest.h>

#include "machine/errors.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

using Picture = std::vector<std::uint8_t>;

/// Pictures with the headers before them.
std::vector<Picture> pictures_of(const std::string& stream) {
    std::vector<Picture> pictures(1);
    bool has_picture = false;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const bool start_code = stream.compare(i, 3, std::string("\0\0\1", 3)) == 0 && i + 3 < stream.size();
        const auto code = start_code ? static_cast<std::uint8_t>(stream[i + 3]) : std::uint8_t{1};
        const bool begins = start_code && (code == 0xB3 || code == 0xB8 || code == 0x00);
        if (begins && has_picture) {
            pictures.emplace_back();
            has_picture = false;
        }
        has_picture = has_picture || (start_code && code == 0x00);
        pictures.back().push_back(static_cast<std::uint8_t>(stream[i]));
    }
    // sequence_end_code is no picture's.
    pictures.back().resize(pictures.back().size() - 4);
    return pictures;
}

class Compat : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(352, 288, 40, "F25:1 Ip A128:117 C420jpeg")); }
    Outcome run(const std::string& name, std::vector<std::string> words) {
        words.insert(words.begin(), {"encode", "clip.y4m", "-o", name, "--threads", "1", "--me", "log"});
        return run_command(folder_.path(), words);
    }
    std::vector<Picture> vcd_pictures() {
        EXPECT_EQ(run("x.m1v", {"--compat", "vcd"}).code, 0);
        return pictures_of(read_file(folder_ / "x.m1v"));
    }
    TemporaryFolder folder_;
};

const CompatibilityRow& vcd_row() {
    for (const CompatibilityRow& row : compatibility_table())
        if (row.compatibility == Compatibility::vcd) return row;
    throw std::logic_error("no Video CD");
}

const CompatibilityRow& row_of(Compatibility compatibility) {
    for (const CompatibilityRow& row : compatibility_table())
        if (row.compatibility == compatibility) return row;
    throw std::logic_error("no such standard");
}

/// Where a start code's value stands.
std::size_t place_of(const Picture& picture, std::uint8_t code) {
    for (std::size_t i = 0; i + 4 <= picture.size(); ++i)
        if (picture[i] == 0 && picture[i + 1] == 0 && picture[i + 2] == 1 && picture[i + 3] == code) return i + 3;
    throw std::logic_error("no such start code");
}

/// What is said of the first picture that breaks a limit; empty: none does.
std::string problem_of(const std::vector<Picture>& pictures, const CompatibilityRow& row = vcd_row()) {
    CompatibilityCheck check(row, {25, 1}, 0.9);
    try {
        for (std::size_t i = 0; i < pictures.size(); ++i)
            check.add(pictures[i], static_cast<std::int64_t>(i));
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST_F(Compat, ReadsWhatTheHeadersSay) {
    const std::vector<Picture> pictures = vcd_pictures();
    ASSERT_EQ(pictures.size(), 40U);
    const PictureHeaders first = read_picture_headers(pictures[0]);
    ASSERT_TRUE(first.sequence);
    EXPECT_EQ(first.sequence->width, 352);
    EXPECT_EQ(first.sequence->height, 288);
    EXPECT_EQ(first.sequence->bit_rate, 2875U);
    EXPECT_EQ(first.sequence->vbv_buffer_size, 20);
    EXPECT_TRUE(first.sequence->constrained_parameters);
    EXPECT_EQ(first.type, 1);
    EXPECT_FALSE(read_picture_headers(pictures[1]).sequence);
    EXPECT_EQ(read_picture_headers(pictures[1]).type, 2);
    for (std::size_t length = 0; length < 30; ++length)
        read_picture_headers({pictures[0].data(), length}); // Nothing beyond is read: the sanitizers watch.
}

TEST_F(Compat, AStreamThatBreaksALimitIsFound) {
    const std::vector<Picture> good = vcd_pictures();
    EXPECT_EQ(problem_of(good), "");
    std::vector<Picture> pictures = good;
    pictures[0][8] = 0xFF; // bit_rate
    EXPECT_NE(problem_of(pictures).find("the highest bit rate is"), std::string::npos) << problem_of(pictures);
    pictures = good;
    pictures[0][11] &= 0xFB; // constrained_parameters_flag
    EXPECT_NE(problem_of(pictures).find("no constrained one"), std::string::npos) << problem_of(pictures);
    pictures = good;
    pictures[20].resize(60000);
    EXPECT_NE(problem_of(pictures).find("picture 20 has 480000 bits"), std::string::npos) << problem_of(pictures);
    pictures = good;
    pictures[20].resize(pictures[20].size() / 8); // Without its stuffing: the channel runs over.
    EXPECT_FALSE(problem_of(pictures).empty());
    // No I picture comes any more.
    pictures.assign(60, good[1]);
    for (Picture& picture : pictures)
        picture.resize(1150000 / 25 / 8); // A picture's share of the rate.
    pictures[0] = good[0];
    EXPECT_NE(problem_of(pictures).find("at most 50 are allowed"), std::string::npos) << problem_of(pictures);
    pictures.erase(pictures.begin());
    EXPECT_NE(problem_of(pictures).find("does not begin with a sequence header"), std::string::npos);
}

TEST_F(Compat, VectorsAndDelaysBeyondALimitAreFound) {
    const std::vector<Picture> good = vcd_pictures();
    std::vector<Picture> pictures = good;
    // full_pel_forward_vector and forward_f_code follow 10, 3 and 16 bits behind the start code.
    const std::size_t header = place_of(pictures[1], 0x00) + 1;
    ASSERT_EQ(read_picture_headers(pictures[1]).horizontal_f_code,
              (pictures[1][header + 3] & 3) << 1 | pictures[1][header + 4] >> 7);
    pictures[1][header + 3] |= 3; // f_code 6 or 7
    EXPECT_NE(problem_of(pictures).find("has vectors of f_code"), std::string::npos) << problem_of(pictures);
    pictures = good;
    pictures[1][header + 3] |= 4;
    EXPECT_NE(problem_of(pictures).find("in whole samples"), std::string::npos) << problem_of(pictures);
    pictures = good;
    pictures[3][header + 1] |= 0x07; // vbv_delay 0xFFFF
    pictures[3][header + 2] = 0xFF;
    pictures[3][header + 3] |= 0xF8;
    EXPECT_NE(problem_of(pictures).find("the rate has to be constant"), std::string::npos) << problem_of(pictures);
    EXPECT_EQ(problem_of(good), "");
}

TEST_F(Compat, AVideoDiscThatBreaksALimitIsFound) {
    ASSERT_EQ(run("d.m2v", {"--compat", "dvd", "--aspect", "4:3"}).code, 0);
    const std::vector<Picture> good = pictures_of(read_file(folder_ / "d.m2v"));
    const CompatibilityRow& dvd = row_of(Compatibility::dvd);
    ASSERT_EQ(problem_of(good, dvd), "");
    const auto expect_found = [&](const char* part, const auto& change) {
        std::vector<Picture> pictures = good;
        change(pictures);
        EXPECT_NE(problem_of(pictures, dvd).find(part), std::string::npos) << part << ": " << problem_of(pictures, dvd);
    };
    const std::size_t extension = place_of(good[0], 0xB5) + 1;
    expect_found("the headers say", [](auto& each) { each[0][4] ^= 1; });
    expect_found("frame_rate_code 6", [](auto& each) { each[0][7] = (each[0][7] & 0xF0) | 6; });
    expect_found("the aspect is 16:9", [](auto& each) { each[0][7] = (each[0][7] & 0x0F) | 0x30; });
    expect_found("the highest bit rate", [](auto& each) { each[0][8] = 0xFF; });
    expect_found("the decoder's buffer", [&](auto& each) { each[0][extension + 4] = 1; });
    expect_found("profile and level", [&](auto& each) { each[0][extension] ^= 1; });
    expect_found("progressive_sequence is 1", [&](auto& each) { each[0][extension + 1] |= 8; });
    // f_code[0][0] of the picture coding extension.
    expect_found("has vectors of f_code", [](auto& each) { each[1][place_of(each[1], 0xB5) + 1] |= 0x0F; });
    expect_found("at most 15 are allowed", [&](auto& each) { each.insert(each.begin() + 1, 20, good[1]); });
}

TEST_F(Compat, TheCommandRefusesWithTheLimit) {
    struct Case {
        std::vector<std::string> words;
        std::string part;
    };
    for (const Case& one : std::vector<Case>{
             {{"--compat", "dvd", "--keyint", "16", "--aspect", "4:3"}, "keyint is 16; at most 12"},
             {{"--compat", "dvd", "--vbv-maxrate", "9801", "--aspect", "4:3"}, "at most 9800 are allowed"},
             {{"--compat", "dvd", "--vbv-bufsize", "2000", "--aspect", "4:3"}, "at most 1835.008 are allowed"},
             {{"--compat", "dvd", "--aspect", "16:9"}, "the aspect is 16:9"},
             {{"--compat", "svcd"}, "the pictures are 352x288 at 25; allowed are 480x480"},
             {{"--compat", "atsc"}, "the pictures are 352x288 at 25"},
             {{"--compat", "vcd", "--codec", "mpeg2"}, "MPEG-2 is not its codec"},
             {{"--compat", "vcd", "--bitrate", "1200"}, "at most 1151.929 are allowed"},
             {{"--compat", "vcd", "--crf", "20"}, "the rate has to be constant"},
             {{"--compat", "dvd", "--qp", "5"}, "--qp and --compat exclude each other"},
             {{"--compat", "dvd", "--maxrate", "5000"}, "--maxrate and --compat exclude each other"},
             {{"--compat", "vhs"}, "any|vcd|svcd|dvd|atsc|dvb"}}) {
        const Outcome outcome = run("refused.mpg", one.words);
        EXPECT_EQ(outcome.code, 2) << one.part;
        EXPECT_NE(outcome.errors.find(one.part), std::string::npos) << outcome.errors;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused.mpg"));
}

TEST_F(Compat, WhatIsWithinTheLimitsIsTaken) {
    const Outcome outcome = run("x.mpg", {"--compat", "dvd", "--aspect", "4:3", "--keyint", "6", "--bitrate", "3000",
                                          "--vbv-maxrate", "4000", "--two-pass", "--verify"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
}

} // namespace
} // namespace tandem::test
