// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/rate_files.h"

#include <gtest/gtest.h>

#include "machine/errors.h"
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

} // namespace
} // namespace tandem
