// SPDX-License-Identifier: BSD-2-Clause
// MpegPicture -> writer -> parser -> the same MpegPicture, for random pictures that use all of the syntax.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/bitstream/random_stream.h"
#include "tests/bitstream/stream_parser.h"

namespace tandem::test {
namespace {

void expect_equal(const MpegPicture& written, const MpegPicture& parsed) {
    EXPECT_EQ(written.type, parsed.type);
    EXPECT_EQ(written.temporal_reference, parsed.temporal_reference);
    EXPECT_EQ(written.vbv_delay, parsed.vbv_delay);
    EXPECT_EQ(written.quantiser_scale_type, parsed.quantiser_scale_type);
    EXPECT_EQ(written.intra_vlc_format, parsed.intra_vlc_format);
    EXPECT_EQ(written.alternate_scan, parsed.alternate_scan);
    EXPECT_EQ(written.intra_dc_precision, parsed.intra_dc_precision);
    EXPECT_EQ(written.f_code, parsed.f_code);
    ASSERT_EQ(written.slices.size(), parsed.slices.size());
    for (std::size_t i = 0; i < written.slices.size(); ++i) {
        EXPECT_EQ(written.slices[i].first, parsed.slices[i].first);
        EXPECT_EQ(written.slices[i].end, parsed.slices[i].end);
    }
    EXPECT_EQ(written.flags, parsed.flags);
    EXPECT_EQ(written.pattern, parsed.pattern);
    EXPECT_EQ(written.forward, parsed.forward);
    EXPECT_EQ(written.backward, parsed.backward);
    EXPECT_EQ(written.nonzero, parsed.nonzero);
    EXPECT_EQ(written.levels, parsed.levels);
    for (std::size_t at = 0; at < written.flags.size(); ++at) {
        const bool quantised = (written.flags[at] & mb_skipped) == 0 && written.pattern[at] != 0;
        if (!quantised) continue;
        EXPECT_EQ(written.quantiser_scale_code[at], parsed.quantiser_scale_code[at]);
    }
}

void expect_equal(const MpegSequence& written, const MpegSequence& parsed, bool mpeg2) {
    EXPECT_EQ(written.width, parsed.width);
    EXPECT_EQ(written.height, parsed.height);
    EXPECT_EQ(written.aspect_ratio_code, parsed.aspect_ratio_code);
    EXPECT_EQ(written.frame_rate_code, parsed.frame_rate_code);
    EXPECT_EQ(written.bit_rate, parsed.bit_rate);
    EXPECT_EQ(written.vbv_buffer_size, parsed.vbv_buffer_size);
    EXPECT_EQ(written.constrained_parameters, parsed.constrained_parameters);
    EXPECT_EQ(written.custom_intra_matrix, parsed.custom_intra_matrix);
    EXPECT_EQ(written.custom_non_intra_matrix, parsed.custom_non_intra_matrix);
    EXPECT_EQ(written.intra_matrix, parsed.intra_matrix);
    EXPECT_EQ(written.non_intra_matrix, parsed.non_intra_matrix);
    if (!mpeg2) return;
    EXPECT_EQ(written.frame_rate_extension_n, parsed.frame_rate_extension_n);
    EXPECT_EQ(written.frame_rate_extension_d, parsed.frame_rate_extension_d);
    EXPECT_EQ(written.profile_and_level, parsed.profile_and_level);
    EXPECT_EQ(written.low_delay, parsed.low_delay);
    EXPECT_EQ(written.has_display_extension, parsed.has_display_extension);
    EXPECT_EQ(written.colour_primaries, parsed.colour_primaries);
}

/// The parameter: MPEG-1.
class RoundTrip : public testing::TestWithParam<bool> {
  protected:
    bool mpeg1() const { return GetParam(); }
    std::unique_ptr<MpegWriter> writer() const { return mpeg1() ? make_mpeg1_writer() : make_mpeg2_writer(); }

    void check(const RandomOptions& options) {
        SCOPED_TRACE("seed " + std::to_string(options.seed) + ", " + std::to_string(options.width) + "x" +
                     std::to_string(options.height));
        const RandomStream stream = random_stream(options);
        const ParsedStream parsed = parse_stream(write_stream(stream, *writer()));
        EXPECT_EQ(parsed.mpeg2, !mpeg1());
        EXPECT_TRUE(parsed.has_sequence_end);
        EXPECT_EQ(parsed.stuffing_bytes, 0U);
        ASSERT_EQ(parsed.sequences.size(), 1U);
        expect_equal(stream.sequence, parsed.sequences[0], parsed.mpeg2);
        ASSERT_EQ(parsed.groups.size(), 1U);
        EXPECT_EQ(parsed.groups[0].code.minutes, stream.group.minutes);
        EXPECT_EQ(parsed.groups[0].code.pictures, stream.group.pictures);
        EXPECT_TRUE(parsed.groups[0].code.closed);
        ASSERT_EQ(parsed.pictures.size(), stream.pictures.size());
        for (std::size_t i = 0; i < stream.pictures.size(); ++i) {
            SCOPED_TRACE("picture " + std::to_string(i));
            expect_equal(stream.pictures[i], parsed.pictures[i].code);
        }
    }
};

TEST_P(RoundTrip, RandomPicturesOfManySizes) {
    constexpr std::array<std::array<int, 2>, 6> sizes = {{{1, 1}, {16, 16}, {17, 33}, {64, 48}, {352, 96}, {720, 32}}};
    std::uint32_t seed = 100;
    for (const auto [width, height] : sizes) {
        for (int repeat = 0; repeat < 4; ++repeat) {
            check({.mpeg1 = mpeg1(), .width = width, .height = height, .seed = seed++});
        }
    }
}

TEST_P(RoundTrip, LongRunsOfSkippedMacroblocks) {
    RandomStream stream = random_stream({.mpeg1 = mpeg1(), .width = 2560, .height = 32, .types = "IPB", .seed = 3});
    for (MpegPicture& picture : stream.pictures) {
        if (picture.type == PictureType::intra) continue;
        MpegPicture empty = picture;
        empty.resize(picture.mb_columns, picture.mb_rows);
        const auto skipped =
            static_cast<std::uint8_t>(picture.type == PictureType::predicted ? mb_skipped : mb_skipped | mb_forward);
        std::fill(empty.flags.begin(), empty.flags.end(), skipped);
        std::fill(empty.pattern.begin(), empty.pattern.end(), 0);
        std::fill(empty.forward.begin(), empty.forward.end(), Mv{});
        std::fill(empty.backward.begin(), empty.backward.end(), Mv{});
        std::fill(empty.nonzero.begin(), empty.nonzero.end(), 0);
        std::fill(empty.levels.begin(), empty.levels.end(), 0);
        empty.slices = {{0, 160}, {160, 320}};
        // Increments of 1, 33, 34, 66 and 67: with no escape, one and two, at both sides of each change.
        for (const int column : {0, 33, 67, 133, 159}) {
            empty.flags[static_cast<std::size_t>(column)] = mb_forward;
            empty.flags[static_cast<std::size_t>(160 + column)] = mb_forward;
        }
        picture = empty;
    }
    const ParsedStream parsed = parse_stream(write_stream(stream, *writer()));
    ASSERT_EQ(parsed.pictures.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        expect_equal(stream.pictures[i], parsed.pictures[i].code);
}

TEST_P(RoundTrip, TallPictures) {
    // MPEG-2: slice_vertical_position_extension beyond 2800 lines. MPEG-1: the last slice starts in row 175 at most.
    const std::array<int, 5> heights = {2800, 2801, 2816, 3000, mpeg1() ? 4095 : 16000};
    for (const int height : heights) {
        check({.mpeg1 = mpeg1(),
               .width = 17,
               .height = height,
               .types = "IPB",
               .seed = static_cast<std::uint32_t>(height)});
    }
}

TEST_P(RoundTrip, SlicesOfOnePictureFromManyThreads) {
    const RandomStream stream =
        random_stream({.mpeg1 = mpeg1(), .width = 320, .height = 240, .types = "IB", .seed = 12});
    const auto syntax = writer();
    for (const MpegPicture& picture : stream.pictures) {
        const int count = static_cast<int>(picture.slices.size());
        std::vector<BitWriter> together(picture.slices.size()), apart(picture.slices.size());
        for (int slice = 0; slice < count; ++slice) {
            syntax->write_slice(together[static_cast<std::size_t>(slice)], stream.sequence, picture, slice);
        }
        constexpr int thread_count = 4;
        std::vector<std::jthread> threads;
        for (int first = 0; first < thread_count; ++first) {
            threads.emplace_back([&, first] {
                for (int slice = first; slice < count; slice += thread_count) {
                    syntax->write_slice(apart[static_cast<std::size_t>(slice)], stream.sequence, picture, slice);
                }
            });
        }
        threads.clear();
        for (std::size_t slice = 0; slice < together.size(); ++slice) {
            EXPECT_TRUE(std::ranges::equal(together[slice].bytes(), apart[slice].bytes())) << slice;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Standards, RoundTrip, testing::Bool(),
                         [](const auto& standard) { return standard.param ? "Mpeg1" : "Mpeg2"; });

} // namespace
} // namespace tandem::test
