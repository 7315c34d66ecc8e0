// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "grey_stream.h"
#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem {
namespace {

std::string stream_bytes(Codec codec, int pictures, bool b_pictures) {
    std::string bytes;
    for (const test::GreyPicture& picture : test::grey_stream(codec, pictures, b_pictures))
        bytes += picture.bytes;
    return bytes + test::sequence_end_code();
}

/// The luma values of the pictures decoded from a stream that is pushed `part` bytes at a time.
std::vector<int> decoded(Codec codec, const std::string& bytes, std::size_t part) {
    std::vector<int> greys;
    const auto decoder = make_stream_decoder(codec, [&](const Frame& frame) {
        EXPECT_EQ(frame.width(), 16);
        EXPECT_EQ(frame.height(), 16);
        const PlaneView luma = frame.luma().view();
        EXPECT_EQ(luma.at(0, 0), luma.at(15, 15));
        EXPECT_EQ(frame.plane(1).view().at(7, 7), 128);
        greys.push_back(luma.at(0, 0));
    });
    for (std::size_t at = 0; at < bytes.size(); at += part)
        decoder->push(test::as_bytes(bytes.substr(at, part)));
    decoder->finish();
    return greys;
}

class StreamDecoders : public testing::TestWithParam<Codec> {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    }
};

TEST_P(StreamDecoders, GivePicturesInDisplayOrderHoweverTheBytesAreCut) {
    for (const bool b_pictures : {false, true}) {
        for (const int pictures : {1, 2, 3, 4, 5, 13}) {
            const std::string bytes = stream_bytes(GetParam(), pictures, b_pictures);
            std::vector<int> expected;
            for (int i = 0; i < pictures; ++i)
                expected.push_back(test::grey_luma(i));
            for (const std::size_t part : {std::size_t{1}, std::size_t{7}, std::size_t{100}, bytes.size()}) {
                EXPECT_EQ(decoded(GetParam(), bytes, part), expected)
                    << pictures << " pictures, " << part << " bytes at a time";
            }
        }
    }
}

TEST_P(StreamDecoders, ComplainOfADamagedSlice) {
    auto stream = test::grey_stream(GetParam(), 4, false);
    std::string bytes;
    for (test::GreyPicture& picture : stream) {
        // Ones in place of the slice's data, from behind its start code: no code of the tables.
        if (picture.display_index == 2) {
            for (std::size_t i = picture.bytes.rfind(std::string("\0\0\1\1", 4)) + 5; i < picture.bytes.size(); ++i) {
                picture.bytes[i] = '\0';
            }
        }
        bytes += picture.bytes;
    }
    try {
        decoded(GetParam(), bytes, bytes.size());
        FAIL() << "the damage went unnoticed";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("pictures: "), std::string::npos) << error.what();
    }
}

TEST_P(StreamDecoders, ComplainOfATruncatedPicture) {
    const std::string bytes = stream_bytes(GetParam(), 3, false);
    EXPECT_THROW(decoded(GetParam(), bytes.substr(0, bytes.size() - 8), 1000), RunError);
}

TEST_P(StreamDecoders, GiveNothingForNothing) { EXPECT_TRUE(decoded(GetParam(), "", 1).empty()); }

INSTANTIATE_TEST_SUITE_P(All, StreamDecoders, testing::Values(Codec::mpeg1, Codec::mpeg2),
                         [](const auto& of) { return of.param == Codec::mpeg1 ? "mpeg1" : "mpeg2"; });

TEST(StreamDecoder, NeedsFfmpeg) {
    if (built_with_libav()) GTEST_SKIP() << "this build has FFmpeg";
    EXPECT_THROW(make_stream_decoder(Codec::mpeg2, [](const Frame&) {}), InputError);
}

} // namespace
} // namespace tandem
