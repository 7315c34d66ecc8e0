// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/matrix_file.h"

#include <gtest/gtest.h>

#include "machine/errors.h"
#include "tests/app/run_command.h"

namespace tandem {
namespace {

TEST(MatrixFile, ReadsOneOrTwoMatricesInRasterOrder) {
    const test::TemporaryFolder folder;
    std::string text = "# intra\n8,";
    for (int i = 1; i < 64; ++i)
        text += std::to_string(i) + (i % 8 == 7 ? "\r\n" : ", ");
    test::write_file(folder / "one.txt", text);
    const MatrixFile one = read_matrix_file(folder / "one.txt");
    EXPECT_EQ(one.intra[0], 8);
    EXPECT_EQ(one.intra[63], 63);
    EXPECT_FALSE(one.non_intra);
    for (int i = 0; i < 64; ++i)
        text += std::to_string(100 + i) + " # number " + std::to_string(i) + "\n";
    test::write_file(folder / "two.txt", text);
    const MatrixFile two = read_matrix_file(folder / "two.txt");
    ASSERT_TRUE(two.non_intra);
    EXPECT_EQ(two.intra, one.intra);
    EXPECT_EQ(two.non_intra->at(0), 100);
    EXPECT_EQ(two.non_intra->at(63), 163);
}

TEST(MatrixFile, RefusesMoreThanTwoMatrices) {
    const test::TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 129; ++i)
        text += "8 ";
    test::write_file(folder / "three.txt", text);
    EXPECT_THROW(read_matrix_file(folder / "three.txt"), InputError);
}

} // namespace
} // namespace tandem
