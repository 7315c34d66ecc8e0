// SPDX-License-Identifier: BSD-2-Clause
// The text between passes: what is written is read, and what is broken is refused by its line.
#include "encoder/rate/pass_log.h"

#include <gtest/gtest.h>

#include "machine/errors.h"

namespace tandem {
namespace {

const PassStream stream{"mpeg2", 352, 288, {30000, 1001}};

std::string small_log() {
    return pass_log_beginning(stream) + pass_log_line({0, PictureType::intra, 5.714, 41064, 900000, 900000}) +
           pass_log_line({2, PictureType::predicted, 8, 8000, 900001, 300000}) +
           pass_log_line({1, PictureType::bidirectional, 10.406, 16, 0, 0}) + pass_log_end(3);
}

std::string problem_of(const std::string& text) {
    try {
        parse_pass_log(text, "x.log");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string with(const std::string& from, const std::string& to) {
    std::string text = small_log();
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(PassLog, IsReadAsItWasWritten) {
    const PassLog log = parse_pass_log(small_log(), "x.log");
    EXPECT_EQ(log.stream, stream);
    ASSERT_EQ(log.pictures.size(), 3U);
    EXPECT_EQ(log.pictures[1].display_index, 2);
    EXPECT_EQ(log.pictures[0].type, PictureType::intra);
    EXPECT_EQ(log.pictures[2].type, PictureType::bidirectional);
    EXPECT_DOUBLE_EQ(log.pictures[0].quantiser, 5.714);
    EXPECT_EQ(log.pictures[0].bits, 41064U);
    EXPECT_EQ(log.pictures[1].intra, 900001U);
    EXPECT_EQ(log.pictures[1].inter, 300000U);
}

TEST(PassLog, NamesItsVersion) { EXPECT_TRUE(small_log().starts_with("tandem pass log, version 1\n")); }

TEST(PassLog, WhatIsBrokenIsRefusedByItsLine) {
    EXPECT_TRUE(problem_of("").starts_with("x.log, line 1: the file ends"));
    EXPECT_TRUE(
        problem_of("#options: 352x288\n").starts_with("x.log, line 1: it is not \"tandem pass log, version 1\""));
    EXPECT_TRUE(problem_of(with("version 1", "version 2")).starts_with("x.log, line 1: it is not"));
    EXPECT_TRUE(problem_of(with("352", "0")).starts_with("x.log, line 2: width is \"0\", and has to be 1..65535"));
    EXPECT_TRUE(problem_of(with("41064", "4l064")).starts_with("x.log, line 3: number of bits is \"4l064\""));
    EXPECT_TRUE(problem_of(with("41064", "-1")).starts_with("x.log, line 3: number of bits is \"-1\""));
    EXPECT_TRUE(problem_of(with("41064", "99999999999999999999")).starts_with("x.log, line 3: number of bits"));
    EXPECT_TRUE(problem_of(with("2 P", "2 X")).starts_with("x.log, line 4: type is \"X\""));
    EXPECT_TRUE(problem_of(with("300000\n", "300000 7\n")).starts_with("x.log, line 4: \"7\" is more"));
    EXPECT_TRUE(problem_of(with(" 300000\n", "\n")).starts_with("x.log, line 4: there is no inter cost"));
    EXPECT_TRUE(problem_of(with("end 3", "end 4")).starts_with("x.log, line 6: number of pictures is \"4\""));
    EXPECT_TRUE(problem_of(with("end 3\n", "")).starts_with("x.log, line 6: the file ends before its last line"));
    EXPECT_TRUE(problem_of(small_log() + "0\n").starts_with("x.log, line 6: there is more"));
    EXPECT_TRUE(problem_of(pass_log_beginning(stream) + pass_log_end(0)).starts_with("x.log, line 3: it holds no"));
    for (std::size_t bytes = 0; bytes < small_log().size(); ++bytes)
        EXPECT_NE(problem_of(small_log().substr(0, bytes)), "") << bytes;
}

} // namespace
} // namespace tandem
