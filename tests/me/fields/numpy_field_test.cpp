// SPDX-License-Identifier: BSD-2-Clause
// Motion fields as arrays that NumPy wrote, which need not be those that we write.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "tests/me/fields/field_records.h"

namespace tandem::test {
namespace {

TEST(NumpyField, OtherTypesAndVersionsAreRead) {
    const Scratch scratch;
    const auto vector_of = [&](const std::string& bytes) {
        return read_all(scratch.file("a.npy", bytes), {16, 16, 16, 16}).at(0).field.best(0, 0).mv;
    };
    EXPECT_EQ(vector_of(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1, 2), }\n",
                            bytes_of<double>({-2.5, 0.0624}))),
              (Mv{-20, 0}));
    EXPECT_EQ(
        vector_of(npy("{'shape':(1,1,2),'descr':'<i2','fortran_order':False}", bytes_of<std::int16_t>({-3, 4}), 2)),
        mv_from_pels(-3, 4));
    EXPECT_EQ(vector_of(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 2,)}",
                            bytes_of<float>({0.0625F, -0.0625F}), 3)),
              (Mv{1, -1}))
        << "halves go away from zero";
}

TEST(NumpyField, EveryPlainTypeIsRead) {
    const Scratch scratch;
    const auto vector_of = [&](const std::string& type, const std::string& data) {
        const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (1, 1, 1, 2), }";
        return read_all(scratch.file("a.npy", npy(header, data)), {16, 16, 16, 16}).at(0).field.best(0, 0).mv;
    };
    const auto turned = [](std::string bytes) {
        for (std::size_t half : {std::size_t{0}, bytes.size() / 2})
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(half),
                         bytes.begin() + static_cast<std::ptrdiff_t>(half + bytes.size() / 2));
        return bytes;
    };
    EXPECT_EQ(vector_of("|i1", bytes_of<std::int8_t>({-3, 4})), mv_from_pels(-3, 4));
    EXPECT_EQ(vector_of("|u1", bytes_of<std::uint8_t>({200, 4})), mv_from_pels(200, 4));
    EXPECT_EQ(vector_of("<u2", bytes_of<std::uint16_t>({3000, 4})), mv_from_pels(3000, 4));
    EXPECT_EQ(vector_of("<i8", bytes_of<std::int64_t>({-3, 4})), mv_from_pels(-3, 4));
    EXPECT_EQ(vector_of(">i8", turned(bytes_of<std::int64_t>({-3, 4}))), mv_from_pels(-3, 4));
    EXPECT_EQ(vector_of(">i2", turned(bytes_of<std::int16_t>({-3, 4}))), mv_from_pels(-3, 4));
    EXPECT_EQ(vector_of(">f4", turned(bytes_of<float>({-2.5, 4}))), (Mv{-20, 32}));
    // binary16: -2.5 and 4; the least fraction and zero below it; the largest number that is a vector.
    EXPECT_EQ(vector_of("<f2", bytes_of<std::uint16_t>({0xC100, 0x4400})), (Mv{-20, 32}));
    EXPECT_EQ(vector_of(">f2", turned(bytes_of<std::uint16_t>({0x0001, 0x2C00}))), (Mv{0, 1}));
    EXPECT_EQ(vector_of("<f2", bytes_of<std::uint16_t>({0x6BFF, 0x8000})), mv_from_pels(4094, 0));
    EXPECT_EQ(vector_of(">f8", turned(bytes_of<double>({-2.5, 4}))), (Mv{-20, 32}));
}

TEST(NumpyField, UnknownVectorsAreNone) {
    const Scratch scratch;
    const float infinite = std::numeric_limits<float>::infinity();
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2, 2), }";
    const std::string data = bytes_of<float>({1e10F, 0, 0, -1e9F, infinite, 1, 1, 2});
    const MotionField field = read_all(scratch.file("a.npy", npy(header, data)), {32, 32, 16, 16}).at(0).field;
    EXPECT_FALSE(has_vector(field.best(0, 0)) || has_vector(field.best(1, 0)) || has_vector(field.best(0, 1)));
    EXPECT_EQ(field.best(1, 1).mv, mv_from_pels(1, 2));
}

TEST(NumpyField, OfAVectorForEachSampleABlockGetsThatInItsMiddle) {
    const Scratch scratch;
    std::vector<float> vectors; // Of 5x6 samples: x is the column, y the row, in each of two pairs.
    for (int i = 0; i < 2 * 5 * 6; ++i) {
        vectors.push_back(static_cast<float>(i % 5));
        vectors.push_back(static_cast<float>(i / 5 % 6 + i / 30));
    }
    std::string data(reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof(float));
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 6, 5, 2), }";
    const auto records = read_all(scratch.file("a.npy", npy(header, data)), {5, 6, 4, 4});
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].field.best(0, 0).mv, mv_from_pels(2, 2));
    EXPECT_EQ(records[0].field.best(1, 0).mv, mv_from_pels(4, 2));
    EXPECT_EQ(records[0].field.best(0, 1).mv, mv_from_pels(2, 5));
    EXPECT_EQ(records[1].field.best(1, 1).mv, mv_from_pels(4, 6));
}

TEST(NumpyField, PicturesAreKeptWhereTheyAreNotCounted) {
    const Scratch scratch;
    const auto there = [&] { return std::filesystem::exists(scratch.path("a.pictures.npy")); };
    std::vector<FieldRecord> records{example(), example()};
    records[0].picture = 7, records[0].reference_offset = -2;
    records[1].picture = 9, records[1].reference_offset = 1;
    write(scratch.path("a.npy"), records);
    EXPECT_TRUE(there());
    const auto read = read_all(scratch.path("a.npy"), example_geometry);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(std::pair(read[0].picture, read[0].reference_offset), std::pair(std::int64_t{7}, -2));
    EXPECT_EQ(std::pair(read[1].picture, read[1].reference_offset), std::pair(std::int64_t{9}, 1));
    std::filesystem::copy(scratch.path("a.pictures.npy"), scratch.path("b.pictures.npy"));
    records[0].picture = 1, records[0].reference_offset = -1;
    write(scratch.path("a.npy"), {records[0]});
    EXPECT_FALSE(there()) << "that of an older field";
    std::filesystem::copy(scratch.path("a.npy"), scratch.path("b.npy"));
    EXPECT_THROW(read_all(scratch.path("b.npy"), example_geometry), InputError) << "of two pairs";
    scratch.file("b.pictures.npy",
                 npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2)}", bytes_of<std::int64_t>({4, 4})));
    EXPECT_THROW(read_all(scratch.path("b.npy"), example_geometry), InputError) << "a picture of itself";
}

TEST(NumpyField, PicturesAreKeptWhereTheyAreCountedAndTheirReferencesAreNotThoseBefore) {
    const Scratch scratch;
    std::vector<FieldRecord> records{example(), example()};
    records[0].picture = 1, records[0].reference_offset = 1;
    records[1].picture = 2, records[1].reference_offset = 1;
    write(scratch.path("a.npy"), records);
    EXPECT_TRUE(std::filesystem::exists(scratch.path("a.pictures.npy")));
    const auto read = read_all(scratch.path("a.npy"), example_geometry);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(std::pair(read[0].picture, read[0].reference_offset), std::pair(std::int64_t{1}, 1));
    EXPECT_EQ(std::pair(read[1].picture, read[1].reference_offset), std::pair(std::int64_t{2}, 1));
}

} // namespace
} // namespace tandem::test
