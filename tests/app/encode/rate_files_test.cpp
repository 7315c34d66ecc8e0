// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/rate_files.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <sstream>

#include "machine/errors.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem {
namespace {

std::string problem_of(const std::string& zones) {
    try {
        parse_zones(zones);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ZoneList, IsRead) {
    const std::vector<Zone> zones = parse_zones("0,99,q=20.5/100,100,b=0.5");
    ASSERT_EQ(zones.size(), 2U);
    EXPECT_EQ(zones[0].first, 0);
    EXPECT_EQ(zones[0].last, 99);
    EXPECT_EQ(zones[0].quantiser, 20.5);
    EXPECT_EQ(zones[1].first, 100);
    EXPECT_FALSE(zones[1].quantiser);
    EXPECT_EQ(zones[1].bits, 0.5);
}

TEST(ZoneList, WhatIsWrongIsNamed) {
    EXPECT_TRUE(problem_of("").starts_with("--zones : a zone is"));
    EXPECT_TRUE(problem_of("0,9,q=8/").starts_with("--zones : a zone is"));
    EXPECT_TRUE(problem_of("0,9,x=8").starts_with("--zones 0,9,x=8: a zone is"));
    EXPECT_TRUE(problem_of("0,9").starts_with("--zones 0,9: a zone is"));
    EXPECT_NE(problem_of("9,8,q=8"), "");
    EXPECT_NE(problem_of("-1,8,q=8"), "");
    EXPECT_NE(problem_of("0,8,q=32"), "");
    EXPECT_NE(problem_of("0,8,q=0"), "");
    EXPECT_NE(problem_of("0,8,b=0"), "");
    EXPECT_NE(problem_of("0,8,b=nan"), "");
}

TEST(QuantiserFile, IsRead) {
    const test::TemporaryFolder folder;
    test::write_file(folder / "q.txt", "# what I want\n0 I 4\n\n7 P -1 # as it comes\r\n8 b\t12.5\n11 K\n");
    const std::vector<GivenPicture> given = read_quantiser_file(folder / "q.txt");
    ASSERT_EQ(given.size(), 4U);
    EXPECT_EQ(given[0].type, PictureType::intra);
    EXPECT_EQ(given[0].quantiser, 4);
    EXPECT_EQ(given[1].display_index, 7);
    EXPECT_FALSE(given[1].quantiser);
    EXPECT_EQ(given[2].type, PictureType::bidirectional);
    EXPECT_EQ(given[2].quantiser, 12.5);
    EXPECT_EQ(given[3].type, PictureType::intra);
}

TEST(QuantiserFile, WhatIsWrongIsNamedByItsLine) {
    const test::TemporaryFolder folder;
    for (const char* line : {"x I 4", "3 I 32", "3 Q 4", "3", "3 I 4 4", "-3 I 4", "0 I 4", "0 P"}) {
        test::write_file(folder / "q.txt", std::string("0 I 4\n") + line + "\n");
        try {
            read_quantiser_file(folder / "q.txt");
            ADD_FAILURE() << line;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with((folder / "q.txt") + ":2:")) << error.what();
        }
    }
    test::write_file(folder / "q.txt", "# nothing\n");
    EXPECT_THROW(read_quantiser_file(folder / "q.txt"), InputError);
    EXPECT_THROW(read_quantiser_file(folder / "none.txt"), InputError);
    EXPECT_THROW(read_quantiser_file(folder / "."), InputError);
}

/// The letters of the types in display order, by the rows of --csv.
std::string types_in(const std::string& csv) {
    std::map<int, std::string> types;
    std::istringstream rows(csv);
    std::string row, coding, display, type;
    for (std::getline(rows, row); std::getline(rows, row);) {
        std::istringstream columns(row);
        std::getline(columns, coding, ',');
        std::getline(columns, display, ',');
        std::getline(columns, type, ',');
        types[std::stoi(display)] = type;
    }
    std::string all;
    for (const auto& [at, letter] : types)
        all += letter;
    return all;
}

// What the stream's pictures are, verified by another decoder where there is one.
TEST(QuantiserFile, TypesAreThoseOfTheStream) {
    const test::TemporaryFolder folder;
    test::write_file(folder / "clip.y4m", test::y4m_clip(64, 48, 12));
    test::write_file(folder / "q.txt", "1 P\n2 B\n3 B 9\n4 I\n5 B -1\n9 I\n10 P 3\n");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--qp", "8", "--preset", "ultrafast", "--bframes", "2"},
             {"--preset", "fast"},
             {"--bitrate", "200", "--preset", "veryfast", "--two-pass"},
             {"--codec", "mpeg1", "--bitrate", "300", "--vbv-maxrate", "400", "--vbv-bufsize", "300"}}) {
        std::vector<std::string> all{"encode", "clip.y4m", "-o", "a.m2v", "-q", "--qpfile", "q.txt", "--csv", "a.csv"};
        all.insert(all.end(), words.begin(), words.end());
        const test::Outcome outcome = test::run_command(folder.path(), all);
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
        const std::string types = types_in(test::read_file(folder / "a.csv"));
        ASSERT_EQ(types.size(), 12U);
        EXPECT_EQ(types.substr(0, 6), "IPBBIB") << words[1];
        EXPECT_EQ(types.substr(9, 2), "IP") << words[1];
    }
}

TEST(QuantiserFile, TypesThatCannotBeAreNamed) {
    const test::TemporaryFolder folder;
    test::write_file(folder / "clip.y4m", test::y4m_clip(64, 48, 8));
    const auto outcome_of = [&](const std::string& file, const std::string& option, const std::string& value) {
        test::write_file(folder / "q.txt", file);
        return test::run_command(folder.path(), {"encode", "clip.y4m", "-o", "a.m2v", "-q", "--qpfile", "q.txt",
                                                 "--bframes", "2", option, value});
    };
    for (const auto& [file, option, value, said] : std::vector<std::array<std::string, 4>>{
             {"0 B\n", "--qp", "8", "picture 0 "},
             {"2 B\n3 B\n4 B\n", "--qp", "8", "picture 4 is given as B picture number 3 in a row"},
             {"1 B\n", "--keyint", "1", "keyint allow 0"},
             {"4 B\n", "--keyint", "4", "picture 4 is given as a B picture"},
             {"7 B\n", "--qp", "8", "picture 7 is given as a B picture"}}) {
        const test::Outcome outcome = outcome_of(file, option, value);
        EXPECT_EQ(outcome.code, 2) << file;
        EXPECT_NE(outcome.errors.find(said), std::string::npos) << outcome.errors;
        EXPECT_FALSE(std::filesystem::exists(folder / "a.m2v")) << file;
    }
    EXPECT_EQ(outcome_of("9 B\n", "--qp", "8").code, 0) << "there is no picture 9";
}

} // namespace
} // namespace tandem
