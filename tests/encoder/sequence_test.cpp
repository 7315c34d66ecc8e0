// SPDX-License-Identifier: BSD-2-Clause
// What a stream says of itself: frame rates, levels, aspect ratios, constrained parameters, matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/mpeg/sequence.h"
#include "encoder/reach.h"

namespace tandem {
namespace {

/// 13818-2 table 6-4, frame_rate_code 1 to 8.
constexpr std::array<Rational, 8> table_6_4{
    {{24000, 1001}, {24, 1}, {25, 1}, {30000, 1001}, {30, 1}, {50, 1}, {60000, 1001}, {60, 1}}};

VideoFormat video(int width, int height, Rational rate = {25, 1}, Rational aspect = {0, 1}) {
    VideoFormat format;
    format.width = width;
    format.height = height;
    format.frame_rate = rate;
    format.sample_aspect = aspect;
    return format;
}

MpegSequence sequence_of(const Settings& settings, const VideoFormat& format) {
    std::vector<std::string> notes;
    MpegSequence sequence = make_sequence(settings, format, notes);
    EXPECT_TRUE(notes.empty()) << notes.front();
    return sequence;
}

Settings codec(Codec which) {
    Settings settings;
    settings.codec = which;
    return settings;
}

bool same_rate(Rational a, Rational b) { return a.numerator * b.denominator == b.numerator * a.denominator; }

TEST(FrameRate, TheTable) {
    for (const Codec which : {Codec::mpeg1, Codec::mpeg2}) {
        for (std::size_t i = 0; i < table_6_4.size(); ++i) {
            for (const std::int64_t multiple : {1, 7}) {
                const auto code =
                    frame_rate_code(which, {table_6_4[i].numerator * multiple, table_6_4[i].denominator * multiple});
                ASSERT_TRUE(code);
                EXPECT_EQ(code->code, static_cast<int>(i) + 1);
                EXPECT_EQ(code->extension_n, 0);
                EXPECT_EQ(code->extension_d, 0);
            }
        }
    }
}

TEST(FrameRate, EveryExtensionComesBackExactly) {
    for (std::size_t i = 0; i < table_6_4.size(); ++i) {
        for (int n = 0; n < 4; ++n) {
            for (int d = 0; d < 32; ++d) {
                const Rational rate{table_6_4[i].numerator * (n + 1), table_6_4[i].denominator * (d + 1)};
                const auto code = frame_rate_code(Codec::mpeg2, rate);
                ASSERT_TRUE(code);
                const Rational base = table_6_4[static_cast<std::size_t>(code->code - 1)];
                EXPECT_TRUE(same_rate(
                    rate, {base.numerator * (code->extension_n + 1), base.denominator * (code->extension_d + 1)}));
                EXPECT_LE(std::tie(code->extension_d, code->extension_n), std::tie(d, n)) << "not the smallest";
            }
        }
    }
}

struct RateRow {
    Rational rate;
    int code, n, d;
};

TEST(FrameRate, KnownExtensions) {
    for (const RateRow& row : {RateRow{{25, 2}, 3, 0, 1}, RateRow{{15, 1}, 5, 0, 1}, RateRow{{100, 1}, 6, 1, 0},
                               RateRow{{10, 1}, 5, 0, 2}, RateRow{{120, 1}, 8, 1, 0}, RateRow{{48000, 1001}, 1, 1, 0},
                               RateRow{{240, 1}, 8, 3, 0}, RateRow{{24000, 32032}, 1, 0, 31}}) {
        SCOPED_TRACE(row.rate.numerator);
        const auto code = frame_rate_code(Codec::mpeg2, row.rate);
        ASSERT_TRUE(code);
        EXPECT_EQ(code->code, row.code);
        EXPECT_EQ(code->extension_n, row.n);
        EXPECT_EQ(code->extension_d, row.d);
        EXPECT_FALSE(frame_rate_code(Codec::mpeg1, row.rate)) << "MPEG-1 has no extension";
    }
}

TEST(FrameRate, NearestOnBothSides) {
    const auto nearest = [](Codec which, Rational rate) { return nearest_frame_rates(which, rate); };
    EXPECT_EQ(nearest(Codec::mpeg1, {26, 1}), (std::vector<Rational>{{25, 1}, {30000, 1001}}));
    EXPECT_EQ(nearest(Codec::mpeg1, {5, 1}), (std::vector<Rational>{{24000, 1001}}));
    EXPECT_EQ(nearest(Codec::mpeg1, {100, 1}), (std::vector<Rational>{{60, 1}}));
    EXPECT_EQ(nearest(Codec::mpeg2, {1000, 1}), (std::vector<Rational>{{240, 1}}));
    for (const Rational rate : {Rational{26, 1}, Rational{2999, 100}, Rational{17, 3}, Rational{199, 1}}) {
        const std::vector<Rational> both = nearest(Codec::mpeg2, rate);
        ASSERT_EQ(both.size(), 2U);
        EXPECT_LT(both[0].value(), rate.value());
        EXPECT_GT(both[1].value(), rate.value());
        for (std::size_t i = 0; i < table_6_4.size() * 4 * 32; ++i) {
            const double other =
                table_6_4[i % 8].value() * static_cast<double>(i / 8 % 4 + 1) / static_cast<double>(i / 32 + 1);
            const bool between = other > both[0].value() + 1e-9 && other < both[1].value() - 1e-9;
            EXPECT_FALSE(between) << other << " is nearer to " << rate.value();
        }
    }
}

struct LevelRow {
    const char* what;
    VideoFormat format;
    int kbps, range;
    const char* name; ///< Null: none.
};

// 13818-2 tables 8-10 to 8-14, each limit from both sides.
TEST(Levels, TheLowestThatHolds) {
    const std::vector<LevelRow> rows{
        {"CIF 30", video(352, 288, {30, 1}), 4000, 16, "Low"},
        {"bit rate over Low", video(352, 288), 4001, 16, "Main"},
        {"width over Low", video(353, 16), 0, 16, "Main"},
        {"height over Low", video(16, 289), 0, 16, "Main"},
        {"rate over Low", video(16, 16, {50, 1}), 0, 16, "High 1440"},
        {"vertical f_code 4", video(352, 288), 0, 63, "Low"},
        {"vertical f_code 5", video(352, 288), 0, 64, "Main"},
        {"PAL", video(720, 576), 15000, 127, "Main"},
        {"NTSC", video(720, 480, {30, 1}), 0, 16, "Main"},
        {"samples per second over Main", video(720, 576, {30, 1}), 0, 16, "High 1440"},
        {"samples of whole macroblocks", video(704, 491, {30000, 1001}), 0, 16, "High 1440"},
        {"width over Main", video(721, 16), 0, 16, "High 1440"},
        {"height over Main", video(16, 577), 0, 16, "High 1440"},
        {"bit rate over Main", video(720, 576), 15001, 16, "High 1440"},
        {"horizontal f_code 8", video(720, 576), 0, 1023, "Main"},
        {"1440x1152", video(1440, 1152), 60000, 16, "High 1440"},
        {"samples per second over High 1440", video(1440, 1152, {30, 1}), 0, 16, "High"},
        {"width over High 1440", video(1441, 16), 0, 16, "High"},
        {"bit rate over High 1440", video(16, 16), 60001, 16, "High"},
        {"1080p 30", video(1920, 1088, {30, 1}), 80000, 1023, "High"},
        {"1080p 60", video(1920, 1080, {60, 1}), 0, 16, nullptr},
        {"bit rate over High", video(16, 16), 80001, 16, nullptr},
        {"width over High", video(1921, 16), 0, 16, nullptr},
        {"height over High", video(16, 1153), 0, 16, nullptr},
        {"rate over High", video(16, 16, {100, 1}), 0, 16, nullptr},
    };
    for (const LevelRow& row : rows) {
        SCOPED_TRACE(row.what);
        const Level* level = level_for(levels_for(10), row.format, row.kbps, {row.range, std::min(row.range, 127)});
        if (row.name == nullptr) {
            EXPECT_EQ(level, nullptr);
        } else {
            ASSERT_NE(level, nullptr);
            EXPECT_STREQ(level->name, row.name);
        }
    }
}

TEST(Levels, AreWritten) {
    const auto of = [](int width, int height, int kbps) {
        Settings settings;
        settings.max_bitrate_kbps = kbps;
        return sequence_of(settings, video(width, height));
    };
    // 13818-2 tables 8-2 and 8-3: Main Profile is 4; High 4, High 1440 6, Main 8, Low 10.
    EXPECT_EQ(of(352, 288, 0).profile_and_level, 0x48) << "vectors may go further down than Low Level lets them";
    EXPECT_EQ(of(720, 576, 0).profile_and_level, 0x48);
    EXPECT_EQ(of(1440, 1080, 0).profile_and_level, 0x46);
    EXPECT_EQ(of(1920, 1080, 0).profile_and_level, 0x44);
    EXPECT_EQ(of(720, 576, 0).bit_rate, 15000000U / 400);
    EXPECT_EQ(of(720, 576, 9000).bit_rate, 9000000U / 400);
    EXPECT_EQ(of(720, 576, 1).bit_rate, 3U) << "rounded up";
    EXPECT_EQ(of(720, 576, 0).vbv_buffer_size, 112);
    EXPECT_EQ(of(1440, 1080, 0).vbv_buffer_size, 448);
    EXPECT_EQ(of(1920, 1080, 0).vbv_buffer_size, 597);
    Settings near;
    near.search.algorithm = Algorithm::full;
    near.range = 63;
    EXPECT_EQ(sequence_of(near, video(352, 288)).profile_and_level, 0x4A);
    EXPECT_EQ(sequence_of(near, video(352, 288)).vbv_buffer_size, 29);
}

TEST(Levels, ElevenBitsOfIntraDcNeedHighProfile) {
    Settings settings;
    settings.intra_dc_precision = 10;
    EXPECT_EQ(sequence_of(settings, video(720, 576)).profile_and_level, 0x48);
    settings.intra_dc_precision = 11;
    // High Profile is 1, and has no Low Level.
    EXPECT_EQ(sequence_of(settings, video(352, 288)).profile_and_level, 0x18);
    EXPECT_EQ(sequence_of(settings, video(720, 576)).vbv_buffer_size, 149);
    EXPECT_EQ(sequence_of(settings, video(720, 576)).bit_rate, 20000000U / 400);
    EXPECT_EQ(sequence_of(settings, video(720, 576, {30, 1})).profile_and_level, 0x18) << "more samples per second";
    EXPECT_EQ(sequence_of(settings, video(1440, 1080)).profile_and_level, 0x16);
    EXPECT_EQ(sequence_of(settings, video(1440, 1080)).vbv_buffer_size, 597);
    EXPECT_EQ(sequence_of(settings, video(1920, 1080)).profile_and_level, 0x14);
    EXPECT_EQ(sequence_of(settings, video(1920, 1080)).vbv_buffer_size, 746);
}

TEST(Levels, AStreamBeyondThemSaysSo) {
    std::vector<std::string> notes;
    const MpegSequence sequence = make_sequence(Settings{}, video(3840, 2160), notes);
    EXPECT_EQ(sequence.profile_and_level, 0x44);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("level"), std::string::npos);
}

struct AspectRow {
    int width, height;
    Rational aspect;
    int code;
};

TEST(Aspect, Mpeg2SaysTheDisplays) {
    for (const AspectRow& row :
         {AspectRow{352, 288, {0, 1}, 1}, AspectRow{352, 288, {1, 1}, 1}, AspectRow{352, 288, {5, 5}, 1},
          AspectRow{720, 576, {16, 15}, 2}, AspectRow{720, 576, {12, 11}, 2}, AspectRow{720, 480, {8, 9}, 2},
          AspectRow{720, 576, {64, 45}, 3}, AspectRow{720, 480, {32, 27}, 3}, AspectRow{720, 576, {221, 125}, 4}}) {
        SCOPED_TRACE(testing::Message() << row.width << " " << row.aspect.numerator << "/" << row.aspect.denominator);
        EXPECT_EQ(sequence_of(Settings{}, video(row.width, row.height, {25, 1}, row.aspect)).aspect_ratio_code,
                  row.code);
    }
    std::vector<std::string> notes;
    EXPECT_EQ(make_sequence(Settings{}, video(352, 288, {25, 1}, {3, 1}), notes).aspect_ratio_code, 1);
    EXPECT_EQ(notes.size(), 1U);
}

TEST(Aspect, Mpeg1SaysTheSample) {
    // 11172-2 clause 2.4.3.2: height over width of a sample.
    for (const AspectRow& row :
         {AspectRow{352, 288, {0, 1}, 1}, AspectRow{352, 288, {1, 1}, 1}, AspectRow{352, 288, {12, 11}, 8},
          AspectRow{352, 288, {59, 54}, 8}, AspectRow{352, 240, {10, 11}, 12}, AspectRow{352, 288, {10000, 7031}, 3},
          AspectRow{352, 240, {10000, 8437}, 6}}) {
        SCOPED_TRACE(testing::Message() << row.aspect.numerator << "/" << row.aspect.denominator);
        EXPECT_EQ(sequence_of(codec(Codec::mpeg1), video(row.width, row.height, {25, 1}, row.aspect)).aspect_ratio_code,
                  row.code);
    }
    for (const auto& [aspect, code] : {std::pair{Rational{1, 100}, 14}, {Rational{100, 1}, 2}, {Rational{2, 1}, 2}}) {
        std::vector<std::string> notes;
        EXPECT_EQ(make_sequence(codec(Codec::mpeg1), video(352, 240, {25, 1}, aspect), notes).aspect_ratio_code, code);
        ASSERT_EQ(notes.size(), 1U);
        EXPECT_NE(notes[0].find("that MPEG-1 can say"), std::string::npos) << notes[0];
    }
}

struct ConstrainedRow {
    const char* what;
    int width, height;
    Rational rate;
    int f_code, vbv;
    std::uint32_t bit_rate;
    bool meets;
};

// 11172-2 clause 2.4.3.2, each bound from both sides.
TEST(ConstrainedParameters, EachBound) {
    const std::vector<ConstrainedRow> rows{
        {"CIF 25", 352, 288, {25, 1}, 4, 20, 4640, true},
        {"SIF 30", 352, 240, {30, 1}, 4, 20, 4640, true},
        {"CIF 30: macroblocks per second", 352, 288, {30000, 1001}, 4, 20, 4640, false},
        {"width 768", 768, 128, {25, 1}, 4, 20, 4640, true},
        {"width 769", 769, 16, {25, 1}, 4, 20, 4640, false},
        {"height 576", 176, 576, {25, 1}, 4, 20, 4640, true},
        {"height 577", 16, 577, {25, 1}, 4, 20, 4640, false},
        {"400 macroblocks", 320, 320, {24, 1}, 4, 20, 4640, false},
        {"rate over 30", 176, 144, {50, 1}, 4, 20, 4640, false},
        {"f_code 5", 352, 288, {25, 1}, 5, 20, 4640, false},
        {"vbv 21", 352, 288, {25, 1}, 4, 21, 4640, false},
        {"bit rate", 352, 288, {25, 1}, 4, 20, 4641, false},
        {"variable bit rate", 352, 288, {25, 1}, 4, 20, 0x3FFFF, false},
    };
    for (const ConstrainedRow& row : rows) {
        MpegSequence sequence;
        sequence.width = row.width;
        sequence.height = row.height;
        sequence.vbv_buffer_size = row.vbv;
        sequence.bit_rate = row.bit_rate;
        EXPECT_EQ(meets_constrained_parameters(sequence, row.rate, row.f_code), row.meets) << row.what;
    }
}

TEST(ConstrainedParameters, AreClaimedOnlyWhenTrue) {
    Settings settings = codec(Codec::mpeg1);
    EXPECT_FALSE(sequence_of(settings, video(352, 288)).constrained_parameters) << "the rate is variable";
    EXPECT_EQ(sequence_of(settings, video(352, 288)).bit_rate, 0x3FFFFU);
    settings.max_bitrate_kbps = 1856;
    const MpegSequence constrained = sequence_of(settings, video(352, 288));
    EXPECT_TRUE(constrained.constrained_parameters);
    EXPECT_LE(constrained.vbv_buffer_size, 20);
    EXPECT_EQ(longest_vectors(settings, 352, 288).x, 63) << "as f_code 4 has it";
    settings.search.algorithm = Algorithm::full;
    settings.range = 63;
    EXPECT_TRUE(sequence_of(settings, video(352, 288)).constrained_parameters);
    settings.range = 64;
    EXPECT_FALSE(sequence_of(settings, video(352, 288)).constrained_parameters) << "vectors may need f_code 5";
    EXPECT_EQ(sequence_of(settings, video(352, 288)).vbv_buffer_size, 112);
    settings.range = 16;
    settings.max_bitrate_kbps = 1857;
    EXPECT_FALSE(sequence_of(settings, video(352, 288)).constrained_parameters);
    settings.codec = Codec::mpeg2;
    settings.max_bitrate_kbps = 1000;
    EXPECT_FALSE(sequence_of(settings, video(352, 288)).constrained_parameters) << "a flag of MPEG-1";
}

TEST(Sequence, BitRatesAreRoundedUpToTheirUnit) {
    for (const Codec which : {Codec::mpeg1, Codec::mpeg2}) {
        Settings settings = codec(which);
        for (const auto& [kbps, units] : {std::pair{1150, 2875U}, {1151, 2878U}, {1152, 2880U}, {1, 3U}}) {
            settings.max_bitrate_kbps = kbps;
            EXPECT_EQ(sequence_of(settings, video(352, 288)).bit_rate, units) << kbps;
        }
    }
}

TEST(Sequence, MatricesAreWrittenWhereTheyDiffer) {
    Settings settings;
    MpegSequence sequence = sequence_of(settings, video(352, 288));
    EXPECT_TRUE(sequence.custom_intra_matrix);
    EXPECT_EQ(sequence.intra_matrix, usual_intra_matrix());
    EXPECT_EQ(sequence.intra_matrix.front(), 8);
    EXPECT_EQ(std::ranges::count(sequence.intra_matrix, 22), 63);
    settings.intra_matrix = default_intra_matrix();
    sequence = sequence_of(settings, video(352, 288));
    EXPECT_FALSE(sequence.custom_intra_matrix);
    EXPECT_FALSE(sequence.custom_non_intra_matrix);
    EXPECT_EQ(sequence.non_intra_matrix, default_non_intra_matrix());
    settings.intra_matrix->back() = 200;
    settings.non_intra_matrix = *settings.intra_matrix;
    sequence = sequence_of(settings, video(352, 288));
    EXPECT_TRUE(sequence.custom_intra_matrix);
    EXPECT_TRUE(sequence.custom_non_intra_matrix);
    EXPECT_EQ(sequence.intra_matrix, *settings.intra_matrix);
    EXPECT_EQ(sequence.non_intra_matrix, *settings.intra_matrix);
}

TEST(Sequence, ColourIsWrittenWhereItIsKnown) {
    VideoFormat format = video(352, 288);
    EXPECT_FALSE(sequence_of(Settings{}, format).has_display_extension);
    format.colour = {1, 13, 6};
    const MpegSequence sequence = sequence_of(Settings{}, format);
    EXPECT_TRUE(sequence.has_display_extension);
    EXPECT_EQ(sequence.colour_primaries, 1);
    EXPECT_EQ(sequence.transfer_characteristics, 13);
    EXPECT_EQ(sequence.matrix_coefficients, 6);
    EXPECT_FALSE(sequence_of(codec(Codec::mpeg1), format).has_display_extension);
}

} // namespace
} // namespace tandem
