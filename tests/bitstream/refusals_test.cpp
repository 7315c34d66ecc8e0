// SPDX-License-Identifier: BSD-2-Clause
// What the syntax cannot express is refused, each with one table of cases.
#include <stdexcept>

#include <gtest/gtest.h>

#include "bitstream/mpeg/mpeg_writer.h"
#include "tests/bitstream/small_picture.h"

namespace tandem::test {
namespace {

struct BadSequence {
    const char* what;
    bool mpeg1, mpeg2; ///< Which refuse it.
    void (*spoil)(MpegSequence&);
};

TEST(Refusals, Sequences) {
    const BadSequence cases[] = {
        {"no width", true, true, [](MpegSequence& s) { s.width = 0; }},
        {"negative height", true, true, [](MpegSequence& s) { s.height = -1; }},
        {"4096 wide", true, true, [](MpegSequence& s) { s.width = 4096; }},
        {"8192 tall", true, true, [](MpegSequence& s) { s.height = 8192; }},
        {"4097 wide", true, false, [](MpegSequence& s) { s.width = 4097; }},
        {"16385 wide", true, true, [](MpegSequence& s) { s.width = 16385; }},
        {"aspect ratio 0", true, true, [](MpegSequence& s) { s.aspect_ratio_code = 0; }},
        {"aspect ratio 5", false, true, [](MpegSequence& s) { s.aspect_ratio_code = 5; }},
        {"aspect ratio 15", true, true, [](MpegSequence& s) { s.aspect_ratio_code = 15; }},
        {"frame rate 0", true, true, [](MpegSequence& s) { s.frame_rate_code = 0; }},
        {"frame rate 9", true, true, [](MpegSequence& s) { s.frame_rate_code = 9; }},
        {"frame rate extension", true, false, [](MpegSequence& s) { s.frame_rate_extension_d = 1; }},
        {"frame rate extension n 4", true, true, [](MpegSequence& s) { s.frame_rate_extension_n = 4; }},
        {"frame rate extension d 32", true, true, [](MpegSequence& s) { s.frame_rate_extension_d = 32; }},
        {"bit rate 0", true, true, [](MpegSequence& s) { s.bit_rate = 0; }},
        {"bit rate of 19 bits", true, false, [](MpegSequence& s) { s.bit_rate = 1U << 18; }},
        {"bit rate of 31 bits", true, true, [](MpegSequence& s) { s.bit_rate = 1U << 30; }},
        {"buffer of 11 bits", true, false, [](MpegSequence& s) { s.vbv_buffer_size = 1024; }},
        {"buffer of 19 bits", true, true, [](MpegSequence& s) { s.vbv_buffer_size = 1 << 18; }},
        {"constrained parameters", false, true, [](MpegSequence& s) { s.constrained_parameters = true; }},
        {"display extension", true, false, [](MpegSequence& s) { s.has_display_extension = true; }},
        {"colour 0", true, true, [](MpegSequence& s) { s.has_display_extension = true, s.colour_primaries = 0; }},
        {"matrix of zeros", true, true, [](MpegSequence& s) { s.custom_non_intra_matrix = true; }},
        {"intra matrix not from 8", true, true,
         [](MpegSequence& s) { s.custom_intra_matrix = true, s.intra_matrix.fill(9); }},
    };
    for (const BadSequence& bad : cases) {
        SCOPED_TRACE(bad.what);
        MpegSequence sequence = cif();
        bad.spoil(sequence);
        BitWriter out;
        const auto write = [&](const MpegWriter& writer) { writer.write_sequence(out, sequence); };
        if (bad.mpeg1) {
            EXPECT_THROW(write(*make_mpeg1_writer()), std::invalid_argument);
        } else {
            EXPECT_NO_THROW(write(*make_mpeg1_writer()));
        }
        if (bad.mpeg2) {
            EXPECT_THROW(write(*make_mpeg2_writer()), std::invalid_argument);
        } else {
            EXPECT_NO_THROW(write(*make_mpeg2_writer()));
        }
    }
}

TEST(Refusals, Groups) {
    for (const MpegGroup& group :
         {MpegGroup{.hours = 24}, MpegGroup{.minutes = 60}, MpegGroup{.seconds = -1}, MpegGroup{.pictures = 60}}) {
        BitWriter out;
        EXPECT_THROW(make_mpeg1_writer()->write_group(out, group), std::invalid_argument);
    }
}

struct BadPicture {
    const char* what;
    void (*spoil)(MpegPicture&);
};

TEST(Refusals, PictureHeaders) {
    const BadPicture both[] = {
        {"temporal reference", [](MpegPicture& p) { p.temporal_reference = 1024; }},
        {"vbv delay", [](MpegPicture& p) { p.vbv_delay = -1; }},
        {"f_code 0",
         [](MpegPicture& p) {
             p.f_code[0] = {0, 0};
         }},
        {"f_code 10",
         [](MpegPicture& p) {
             p.f_code[0] = {10, 10};
         }},
        {"f_code unused",
         [](MpegPicture& p) {
             p.f_code[0] = {15, 15};
         }},
        {"DC precision", [](MpegPicture& p) { p.intra_dc_precision = 12; }},
    };
    const BadPicture mpeg1[] = {
        {"f_code 8",
         [](MpegPicture& p) {
             p.f_code[0] = {8, 8};
         }},
        {"two f_codes",
         [](MpegPicture& p) {
             p.f_code[0] = {2, 1};
         }},
        {"DC precision 9", [](MpegPicture& p) { p.intra_dc_precision = 9; }},
        {"non-linear quantiser", [](MpegPicture& p) { p.quantiser_scale_type = true; }},
        {"table B-15", [](MpegPicture& p) { p.intra_vlc_format = true; }},
        {"alternate scan", [](MpegPicture& p) { p.alternate_scan = true; }},
    };
    const auto write = [](const MpegWriter& writer, const BadPicture& bad) {
        MpegPicture picture = small_picture();
        picture.f_code[0] = {2, 2};
        bad.spoil(picture);
        BitWriter out;
        writer.write_picture_header(out, picture);
    };
    for (const BadPicture& bad : both) {
        EXPECT_THROW(write(*make_mpeg1_writer(), bad), std::invalid_argument) << bad.what;
        EXPECT_THROW(write(*make_mpeg2_writer(), bad), std::invalid_argument) << bad.what;
    }
    for (const BadPicture& bad : mpeg1) {
        EXPECT_THROW(write(*make_mpeg1_writer(), bad), std::invalid_argument) << bad.what;
        EXPECT_NO_THROW(write(*make_mpeg2_writer(), bad)) << bad.what;
    }
}

TEST(Refusals, Slices) {
    const BadPicture cases[] = {
        {"no slice", [](MpegPicture& p) { p.slices.clear(); }},
        {"empty slice",
         [](MpegPicture& p) {
             p.slices = {{1, 1}};
         }},
        {"slice outside",
         [](MpegPicture& p) {
             p.slices = {{0, 4}};
         }},
        {"slice from before",
         [](MpegPicture& p) {
             p.slices = {{-1, 2}};
         }},
        {"other size", [](MpegPicture& p) { p.resize(4, 1); }},
        {"short array", [](MpegPicture& p) { p.levels.pop_back(); }},
        {"no type", [](MpegPicture& p) { p.type = PictureType{0}; }},
        {"type D", [](MpegPicture& p) { p.type = PictureType{4}; }},
        {"first skipped", [](MpegPicture& p) { p.flags[0] = mb_skipped; }},
        {"last skipped", [](MpegPicture& p) { p.flags[2] = mb_skipped; }},
        {"predicted in an I picture", [](MpegPicture& p) { p.type = PictureType::intra; }},
        {"skipped in an I picture",
         [](MpegPicture& p) { p.type = PictureType::intra, p.flags[0] = mb_intra, p.pattern[0] = 63; }},
        {"backward in a P picture", [](MpegPicture& p) { p.flags[0] = mb_backward; }},
        {"intra and forward", [](MpegPicture& p) { p.flags[2] = mb_intra | mb_forward; }},
        {"unknown flags", [](MpegPicture& p) { p.flags[0] = 0x42; }},
        {"neither vector nor pattern", [](MpegPicture& p) { p.flags[0] = 0, p.pattern[0] = 0; }},
        {"pattern 64", [](MpegPicture& p) { p.pattern[0] = 64; }},
        {"intra without a block", [](MpegPicture& p) { p.pattern[2] = 62; }},
        {"intra without a pattern", [](MpegPicture& p) { p.pattern[2] = 0; }},
        {"pattern without coefficients", [](MpegPicture& p) { p.nonzero[0] = 0; }},
        {"quantiser 0", [](MpegPicture& p) { p.quantiser_scale_code[0] = 0; }},
        {"quantiser 0 further on", [](MpegPicture& p) { p.quantiser_scale_code[2] = 0; }},
        {"quantiser 32 further on", [](MpegPicture& p) { p.quantiser_scale_code[2] = 32; }},
        {"vector beyond f_code", [](MpegPicture& p) { p.forward[0].x = 32 * eighths_per_half_pel; }},
        {"vector below f_code", [](MpegPicture& p) { p.forward[0].y = -17 * eighths_per_half_pel; }},
        {"vector at a quarter-pel", [](MpegPicture& p) { p.forward[0].y = 2; }},
        {"no f_code", [](MpegPicture& p) { p.f_code[0][1] = 15; }},
        {"level 0", [](MpegPicture& p) { p.levels[3] = 0; }},
        {"level 2048", [](MpegPicture& p) { p.levels[3] = 2048; }},
        {"level -2048", [](MpegPicture& p) { p.levels[3] = -2048; }},
        {"DC 256", [](MpegPicture& p) { p.levels[12 * 64] = 256; }},
        {"DC -1", [](MpegPicture& p) { p.levels[12 * 64] = -1; }},
        {"DC precision 7", [](MpegPicture& p) { p.intra_dc_precision = 7; }},
        {"DC precision 12", [](MpegPicture& p) { p.intra_dc_precision = 12; }},
    };
    const auto writer = make_mpeg2_writer();
    for (const BadPicture& bad : cases) {
        MpegPicture picture = small_picture();
        BitWriter out;
        EXPECT_NO_THROW(writer->write_slice(out, small_sequence(), picture, 0));
        bad.spoil(picture);
        EXPECT_THROW(writer->write_slice(out, small_sequence(), picture, 0), std::invalid_argument) << bad.what;
    }
    BitWriter out;
    EXPECT_THROW(writer->write_slice(out, small_sequence(), small_picture(), 1), std::invalid_argument);
    EXPECT_THROW(writer->write_slice(out, small_sequence(), small_picture(), -1), std::invalid_argument);
}

/// By name: other checks would refuse such a slice as well, but after looking at macroblocks that are not there.
TEST(Refusals, ASliceBeyondThePictureIsRefusedForThat) {
    MpegPicture picture = small_picture();
    picture.f_code[0] = {2, 2};
    picture.slices = {{0, 4}};
    for (const auto& writer : {make_mpeg1_writer, make_mpeg2_writer}) {
        BitWriter out;
        try {
            writer()->write_slice(out, small_sequence(), picture, 0);
            ADD_FAILURE() << "a slice of 4 macroblocks out of 3";
        } catch (const std::invalid_argument& error) {
            EXPECT_STREQ(error.what(), "a slice is empty or leaves the picture");
        }
    }
}

TEST(Refusals, SlicesThatMpeg1LacksTheToolsFor) {
    const BadPicture cases[] = {
        {"DC precision 9", [](MpegPicture& p) { p.intra_dc_precision = 9; }},
        {"table B-15", [](MpegPicture& p) { p.intra_vlc_format = true; }},
        {"f_code 8",
         [](MpegPicture& p) {
             p.f_code[0] = {8, 8};
         }},
    };
    for (const BadPicture& bad : cases) {
        MpegPicture picture = small_picture();
        picture.f_code[0] = {2, 2};
        picture.levels[3] = 100;
        BitWriter out;
        EXPECT_NO_THROW(make_mpeg1_writer()->write_slice(out, small_sequence(), picture, 0));
        bad.spoil(picture);
        EXPECT_THROW(make_mpeg1_writer()->write_slice(out, small_sequence(), picture, 0), std::invalid_argument)
            << bad.what;
        EXPECT_NO_THROW(make_mpeg2_writer()->write_slice(out, small_sequence(), picture, 0)) << bad.what;
    }
}

TEST(Refusals, Mpeg1Levels) {
    MpegPicture picture = small_picture();
    picture.f_code[0] = {1, 1};
    for (const std::int16_t level : {255, -255}) {
        picture.levels[3] = level;
        BitWriter out;
        EXPECT_NO_THROW(make_mpeg1_writer()->write_slice(out, small_sequence(), picture, 0)) << level;
    }
    for (const std::int16_t level : {256, -256}) {
        picture.levels[3] = level;
        BitWriter out;
        EXPECT_THROW(make_mpeg1_writer()->write_slice(out, small_sequence(), picture, 0), std::invalid_argument)
            << level;
    }
}

TEST(Refusals, SlicesOfSeveralRows) {
    MpegSequence sequence = small_sequence();
    sequence.width = 16;
    sequence.height = 48;
    MpegPicture picture = small_picture();
    picture.mb_columns = 1;
    picture.mb_rows = 3;
    picture.f_code[0] = {2, 2};
    picture.levels[3] = 200;
    BitWriter out;
    EXPECT_THROW(make_mpeg2_writer()->write_slice(out, sequence, picture, 0), std::invalid_argument);
    EXPECT_NO_THROW(make_mpeg1_writer()->write_slice(out, sequence, picture, 0));
    picture.slices = {{0, 4}}; // Below the picture.
    EXPECT_THROW(make_mpeg1_writer()->write_slice(out, sequence, picture, 0), std::invalid_argument);
}

TEST(Refusals, SkippedInBPictures) {
    const auto make = [] {
        MpegPicture picture = small_picture();
        picture.type = PictureType::bidirectional;
        picture.f_code = {{{2, 2}, {2, 2}}};
        picture.flags[0] = mb_forward | mb_backward;
        picture.flags[1] = mb_forward | mb_backward | mb_skipped;
        picture.forward[1] = picture.forward[0];
        return picture;
    };
    const BadPicture cases[] = {
        {"another direction", [](MpegPicture& p) { p.flags[1] = mb_forward | mb_skipped; }},
        {"another forward vector", [](MpegPicture& p) { p.forward[1].x = 0; }},
        {"another backward vector", [](MpegPicture& p) { p.backward[1].y = 8; }},
        {"behind an intra one",
         [](MpegPicture& p) { p.flags[0] = mb_intra, p.pattern[0] = 63, p.flags[1] = mb_intra | mb_skipped; }},
    };
    BitWriter out;
    EXPECT_NO_THROW(make_mpeg2_writer()->write_slice(out, small_sequence(), make(), 0));
    for (const BadPicture& bad : cases) {
        MpegPicture picture = make();
        bad.spoil(picture);
        EXPECT_THROW(make_mpeg2_writer()->write_slice(out, small_sequence(), picture, 0), std::invalid_argument)
            << bad.what;
    }
    // What is not used of a skipped macroblock need not be equal.
    MpegPicture forward = make();
    forward.flags[0] = mb_forward;
    forward.flags[1] = mb_forward | mb_skipped;
    forward.backward[1].y = 8;
    EXPECT_NO_THROW(make_mpeg2_writer()->write_slice(out, small_sequence(), forward, 0));
}

} // namespace
} // namespace tandem::test
