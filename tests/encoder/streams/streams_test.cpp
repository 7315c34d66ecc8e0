// SPDX-License-Identifier: BSD-2-Clause
// What the encoder writes, taken apart again: all that a decoder would not complain about, and what it would rebuild.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "bitstream/mpeg/code_length.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"
#include "me/kernels/distortion.h"
#include "me/search.h"
#include "tests/coding/naive_picture.h"
#include "tests/encoder/option_rows.h"
#include "tests/encoder/streams/checked_stream.h"
#include "tests/encoder/streams/naive_decoder.h"

namespace tandem {
namespace {

using namespace test;

/// A window that wanders over a large picture by whole pels: long vectors.
Clip pan_clip(int width, int height, int frames, int move_x, int move_y) {
    const auto wide = random_frame(width + frames * move_x, height + frames * move_y, 9, 20);
    Clip clip;
    for (int i = 0; i < frames; ++i) {
        auto frame = std::make_shared<Frame>(width, height);
        for (int plane = 0; plane < 3; ++plane) {
            const int shift = plane == 0 ? 0 : 1;
            PlaneView from = wide->plane(plane).view();
            from.data = &from.at(i * move_x >> shift, i * move_y >> shift);
            from.width = frame->plane(plane).width();
            from.height = frame->plane(plane).height();
            copy_and_extend(from, frame->plane(plane).view());
        }
        clip.push_back(std::move(frame));
    }
    return clip;
}

void check(const Settings& settings, const Clip& clip, const std::string& what) {
    SCOPED_TRACE(what);
    CheckedStream(settings, clip).check();
}

constexpr std::array<Codec, 2> codecs{Codec::mpeg1, Codec::mpeg2};

TEST(Streams, EveryPattern) {
    const Clip clip = scene_clip(34, 34, 13);
    for (const Codec codec : codecs) {
        for (const int bframes : {0, 1, 2, 5, 8}) {
            for (const int keyint : {1, 4, 12}) {
                for (const bool closed : {false, true}) {
                    Settings settings = quick_settings(codec);
                    settings.bframes = bframes;
                    settings.keyint = keyint;
                    settings.closed_gop = closed;
                    check(settings, clip,
                          std::to_string(bframes) + " B, keyint " + std::to_string(keyint) +
                              (closed ? ", closed" : ""));
                }
            }
        }
    }
}

TEST(Streams, EverySize) {
    for (const Codec codec : codecs) {
        for (const auto& [width, height] : {std::pair{1, 1}, {16, 16}, {17, 33}, {33, 17}, {2, 50}, {96, 80}}) {
            Settings settings = quick_settings(codec);
            settings.bframes = 2;
            check(settings, scene_clip(width, height, 7), std::to_string(width) + "x" + std::to_string(height));
        }
    }
}

// More than 175 macroblock rows, and slice_vertical_position_extension.
TEST(Streams, TallPicture) {
    for (const Codec codec : codecs) {
        Settings settings = quick_settings(codec);
        settings.bframes = 1;
        check(settings, scene_clip(16, 2816, 3), "16x2816");
        settings.slices = codec == Codec::mpeg1 ? 3 : 0;
        check(settings, scene_clip(16, 2816, 2), "16x2816, few slices");
    }
}

TEST(Streams, EveryOption) {
    const Clip clip = scene_clip(34, 34, 8, SceneKind::noise);
    for (const Codec codec : codecs) {
        for (const OptionRow& row : option_rows(codec)) {
            Settings settings = quick_settings(codec);
            settings.bframes = 2;
            settings.keyint = 6;
            row.change(settings);
            check(settings, clip, row.name);
        }
    }
}

/// Settings on their way to the stages that they are for: one that is dropped leaves the default's bytes.
TEST(Streams, EachSettingChangesTheBytes) {
    Settings plain = quick_settings();
    plain.bframes = 2;
    plain.qp = 16;         // Sources and reconstructions differ enough to be searched with other results.
    plain.trellis = false; // Dead zones count without it.
    const Clip clip = scene_clip(96, 80, 5);
    const std::vector<std::uint8_t> bytes = encode(plain, clip).bytes;
    const OptionRow rows[] = {
        {"ip factor", [](Settings& s) { s.ip_factor = 2; }},
        {"pb factor", [](Settings& s) { s.pb_factor = 2; }},
        {"intra dead zone", [](Settings& s) { s.deadzone_intra = 16; }},
        {"inter dead zone", [](Settings& s) { s.deadzone_inter = 16; }},
        {"trellis", [](Settings& s) { s.trellis = true; }},
        {"tm5", [](Settings& s) { s.decision = Decision::tm5; }},
        {"sm3", [](Settings& s) { s.decision = Decision::sm3; }},
        {"rd", [](Settings& s) { s.decision = Decision::rd; }},
        {"null threshold", [](Settings& s) { s.search.null_threshold = 3000; }},
        {"null gain", [](Settings& s) { s.search.null_gain = 4; }},
        {"intra threshold", [](Settings& s) { s.intra_threshold = -2000; }},
        {"intra refresh", [](Settings& s) { s.intra_refresh = 1; }},
        {"algorithm", [](Settings& s) { s.search.algorithm = Algorithm::three_step; }},
        {"range", [](Settings& s) { s.range = 2; }},
        {"reference", [](Settings& s) { s.motion_reference = MotionReference::recon; }},
        {"candidates", [](Settings& s) { s.search.candidates = 1; }},
        {"grid", [](Settings& s) { s.search.grid = 2; }},
        {"squared error", [](Settings& s) { s.search.metric = Metric::ssd; }},
        {"Hadamard transform", [](Settings& s) { s.search.metric = Metric::satd; }},
        {"all planes", [](Settings& s) { s.search.planes = Planes::all; }},
    };
    for (const OptionRow& row : rows) {
        Settings settings = plain;
        row.change(settings);
        EXPECT_NE(encode(settings, clip).bytes, bytes) << row.name;
    }
}

TEST(Streams, EachParameterOfASearchChangesTheBytes) {
    struct Row {
        Algorithm algorithm;
        void (*change)(SearchParams& search);
    };
    const Row rows[] = {
        {Algorithm::three_step, [](SearchParams& s) { s.first_step = 2; }},
        {Algorithm::logarithmic, [](SearchParams& s) { s.step_sequence = StepSequence::halving; }},
        {Algorithm::smpuhex, [](SearchParams& s) { s.smpuhex_converged = 100000; }},
        {Algorithm::smpuhex, [](SearchParams& s) { s.passes = 1; }},
        {Algorithm::smpuhex, [](SearchParams& s) { s.block_order = BlockOrder::raster; }},
        {Algorithm::hierarchical, [](SearchParams& s) { s.levels = 1; }},
        {Algorithm::hierarchical, [](SearchParams& s) { s.level_candidates = 1; }},
        {Algorithm::phase, [](SearchParams& s) { s.phase_window = 16; }},
        {Algorithm::phase, [](SearchParams& s) { s.phase_peaks = 8; }},
    };
    const Clip clip{random_frame(176, 144, 1, 100),
                    random_frame(176, 144, 2, 100)}; // No search finds what another does.
    for (const Row& row : rows) {
        if (!is_built(search_row(row.algorithm))) continue;
        Settings settings = quick_settings();
        settings.search.algorithm = row.algorithm;
        settings.intra_threshold = 65536;
        settings.range = 16;
        const std::vector<std::uint8_t> plain = encode(settings, clip).bytes;
        row.change(settings.search);
        EXPECT_NE(encode(settings, clip).bytes, plain) << search_row(row.algorithm).name << ' ' << &row - rows;
    }
}

// The search puts zero first, and the choice among its candidates must not take that back.
TEST(Streams, ALargeNullGainLeavesZeroVectorsAlone) {
    Settings settings = quick_settings();
    settings.intra_threshold = 65536;
    const auto moving = [&] {
        int count = 0;
        for (const CodedPicture& picture : encode(settings, pan_clip(96, 80, 3, 3, 2)).pictures)
            count += picture.stats.forward - picture.stats.zero_motion;
        return count;
    };
    EXPECT_GT(moving(), 30);
    settings.search.null_gain = 255; // No SAD is larger than 255 a sample.
    EXPECT_EQ(moving(), 0);
    settings.search.metric = Metric::ssd; // It stays a gain of SAD.
    settings.search.planes = Planes::all;
    EXPECT_EQ(moving(), 0);
    settings.search.null_gain = 0;
    EXPECT_GT(moving(), 30);
}

// Whatever the macroblock before has.
TEST(Streams, MacroblocksOfPPicturesKeepZeroUpToTheNullThreshold) {
    constexpr std::uint32_t threshold = 4500;
    for (const Decision decision : {Decision::tm5, Decision::sm3, Decision::cost, Decision::rd}) {
        Settings settings = quick_settings();
        settings.decision = decision;
        settings.qp = 2;
        settings.search.null_threshold = threshold;
        const CheckedStream stream(settings, scene_clip(96, 80, 6));
        int still = 0, moved = 0;
        for (std::size_t i = 1; i < stream.pictures().size(); ++i) {
            const PlaneView now = stream.encoded().pictures[i].source->luma().view();
            const PlaneView before = stream.encoded().pictures[i - 1].reconstruction->luma().view();
            for (std::size_t at = 0; at < 6 * 5; ++at) {
                const int x = static_cast<int>(at % 6) * 16, y = static_cast<int>(at / 6) * 16;
                const bool moves = stream.pictures()[i].code.forward[at] != Mv{};
                const bool keeps = distortion_kernels().sad(&now.at(x, y), now.stride, &before.at(x, y), before.stride,
                                                            16, 16) <= threshold;
                EXPECT_FALSE(keeps && moves) << "picture " << i << ", macroblock " << at;
                still += keeps;
                moved += moves;
            }
        }
        EXPECT_GT(std::min(still, moved), 10) << "the clip asks for one of them alone";
    }
}

// By cost: the other decisions make no macroblock intra whose error is small.
TEST(Streams, TheLeastIntraThresholdMakesEveryMacroblockIntra) {
    Settings settings = quick_settings();
    settings.bframes = 1;
    settings.intra_threshold = -65536;
    const EncodedClip encoded = encode(settings, scene_clip(96, 80, 3));
    for (const CodedPicture& picture : encoded.pictures)
        EXPECT_EQ(picture.stats.intra, 6 * 5) << picture.stats.display_index;
}

// Vectors up to the range, in every direction, and the f_codes they ask for.
TEST(Streams, LongVectors) {
    for (const Codec codec : codecs) {
        for (const auto& [x, y] : {std::pair{9, 0}, {0, 9}, {20, 3}, {2, 33}, {40, 40}}) {
            Settings settings = quick_settings(codec);
            settings.range = 40;
            settings.bframes = x == 9 ? 2 : 0;
            const CheckedStream stream(settings, pan_clip(112, 96, 3, x, y));
            SCOPED_TRACE(testing::Message() << x << " " << y);
            stream.check();
            const MpegPicture& predicted = stream.pictures()[1].code;
            const int reach = settings.bframes + 1 == 3 ? 2 : 1; // The first P picture is pictures away.
            const int largest = *std::max_element(predicted.f_code[0].begin(), predicted.f_code[0].end());
            EXPECT_GE(largest, f_code_for(2 * reach * std::max(x, y)));
            EXPECT_LE(largest, f_code_for(2 * search_range(settings, settings.bframes + 1) + 1));
        }
    }
}

// The range is a speed: what moves 9 pels a picture is found from a reference three pictures away.
TEST(Streams, TheRangeGrowsWithTheDistanceOfTheReference) {
    Settings settings = quick_settings(Codec::mpeg2);
    settings.range = 10;
    settings.bframes = 2;
    const CheckedStream stream(settings, pan_clip(176, 96, 4, 9, 0));
    stream.check();
    EXPECT_EQ(stream.pictures()[1].code.f_code[0][0], f_code_for(2 * 3 * 9));
    for (const auto& [range, distance, expected] :
         {std::array{10, 3, 30}, {16, 3, 48}, {16, 4, 63}, {63, 9, 63}, {64, 2, 64}, {511, 3, 511}, {0, 9, 0}}) {
        settings.range = range;
        EXPECT_EQ(search_range(settings, distance), expected);
        EXPECT_EQ(search_params(settings, PictureType::predicted, distance).range_x, expected);
        EXPECT_EQ(search_params(settings, PictureType::predicted, distance).range_y, std::min(expected, 127));
    }
    for (const auto& [keyint, distance] : {std::pair{1, 1}, {2, 1}, {3, 2}, {4, 3}, {12, 3}}) {
        settings.keyint = keyint;
        EXPECT_EQ(largest_distance(settings), distance) << keyint;
    }
}

// No level of MPEG-2 has a vertical f_code above 5, however far the search may go.
TEST(Streams, VerticalVectorsStayWithinTheLevels) {
    Settings settings = quick_settings(Codec::mpeg2);
    settings.range = 200;
    const CheckedStream stream(settings, pan_clip(32, 320, 2, 0, 150));
    stream.check();
    EXPECT_LE(stream.pictures()[1].code.f_code[0][1], 5);
    settings.codec = Codec::mpeg1;
    const CheckedStream other(settings, pan_clip(32, 320, 2, 0, 150));
    other.check();
    EXPECT_EQ(other.pictures()[1].code.f_code[0][1], 6) << "where there is no such limit the vectors are found";
}

// MPEG-1's levels end at 255: at quantiser 1 that is a quarter of what black and white samples may need.
TEST(Streams, WhereLevelsWouldBeCutMacroblocksGetCoarserQuantisers) {
    Clip clip;
    for (int i = 0; i < 2; ++i) {
        auto frame = std::make_shared<Frame>(48, 32);
        for (int plane = 0; plane < 3; ++plane) {
            const MutablePlaneView view = frame->plane(plane).view();
            for (int y = 0; y < view.height; ++y) {
                for (int x = 0; x < view.width; ++x)
                    view.at(x, y) = x < view.width / 2 ? 100 : x % 8 < 4 + i ? 255 : 0;
            }
        }
        clip.push_back(frame);
    }
    for (const bool trellis : {false, true}) {
        Settings settings = quick_settings(Codec::mpeg1);
        settings.qp = 1;
        settings.ip_factor = 1;
        settings.trellis = trellis;
        const CheckedStream stream(settings, clip);
        stream.check();
        const std::vector<std::uint8_t>& codes = stream.pictures().front().code.quantiser_scale_code;
        EXPECT_EQ(codes.front(), 1) << "flat";
        EXPECT_EQ(codes.back(), 2) << "striped";
        const std::vector<FramePtr> rebuilt = stream.encoded().reconstructions();
        for (std::size_t i = 0; i < clip.size(); ++i)
            EXPECT_LE(largest_difference(*clip[i], *rebuilt[i]), 16) << "cut levels lose a half of the contrast";
    }
}

TEST(Streams, OneToFivePictures) {
    for (const Codec codec : codecs) {
        for (int frames = 1; frames <= 5; ++frames) {
            for (int bframes = 0; bframes <= 8; ++bframes) {
                Settings settings = quick_settings(codec);
                settings.bframes = bframes;
                settings.keyint = 3 + bframes;
                check(settings, scene_clip(16, 16, frames),
                      std::to_string(frames) + " pictures, " + std::to_string(bframes) + " B");
            }
        }
    }
}

TEST(Streams, NoPictureNoStream) {
    const EncodedClip encoded = encode(quick_settings(), format_of(scene_clip(16, 16, 1)), {});
    EXPECT_TRUE(encoded.bytes.empty());
}

// Minutes and hours of time codes, at the slowest rate there is: one picture a nominal second.
TEST(Streams, TimeCodesCarry) {
    Settings settings = quick_settings();
    settings.keyint = 1;
    VideoFormat format = format_of(scene_clip(1, 1, 1));
    format.frame_rate = {24000, 32032};
    const Clip clip(3700, scene_clip(1, 1, 1).front());
    const CheckedStream stream(settings, format, clip);
    stream.check();
    const MpegGroup& last = stream.parsed().groups.back().code;
    EXPECT_EQ(last.hours, 1);
    EXPECT_EQ(last.minutes, 1);
    EXPECT_EQ(last.seconds, 39);
    EXPECT_EQ(last.pictures, 0);
}

TEST(Streams, FrameRatesAreSaid) {
    const Clip clip = scene_clip(16, 16, 30);
    struct Rate {
        Codec codec;
        Rational rate;
        int code, n, d;
    };
    for (const Rate& row : {Rate{Codec::mpeg1, {24000, 1001}, 1, 0, 0}, Rate{Codec::mpeg1, {60, 1}, 8, 0, 0},
                            Rate{Codec::mpeg2, {30000, 1001}, 4, 0, 0}, Rate{Codec::mpeg2, {25, 2}, 3, 0, 1},
                            Rate{Codec::mpeg2, {240, 1}, 8, 3, 0}}) {
        SCOPED_TRACE(testing::Message() << row.rate.numerator << "/" << row.rate.denominator);
        Settings settings = quick_settings(row.codec);
        settings.keyint = 7;
        settings.bframes = 2;
        VideoFormat format = format_of(clip);
        format.frame_rate = row.rate;
        const CheckedStream stream(settings, format, clip);
        stream.check();
        for (const MpegSequence& sequence : stream.parsed().sequences) {
            EXPECT_EQ(sequence.frame_rate_code, row.code);
            EXPECT_EQ(sequence.frame_rate_extension_n, row.n);
            EXPECT_EQ(sequence.frame_rate_extension_d, row.d);
        }
    }
}

TEST(Streams, TheSequenceHeaderIsTheEncoders) {
    for (const Codec codec : codecs) {
        Settings settings = quick_settings(codec);
        settings.max_bitrate_kbps = 1000;
        VideoFormat format = format_of(scene_clip(64, 48, 2));
        format.colour = {5, 6, 5};
        format.sample_aspect = {1, 1};
        const CheckedStream stream(settings, format, scene_clip(64, 48, 2));
        stream.check();
        Coprocessor motion({}, make_cpu_estimator(1));
        const Encoder encoder(settings, format, motion, [](const EncodedPicture&) {});
        const MpegSequence& written = stream.parsed().sequences.front();
        EXPECT_EQ(written.bit_rate, 2500U);
        EXPECT_EQ(encoder.promise().bits_per_second, 1000000);
        EXPECT_EQ(encoder.promise().buffer_bits, 16384 * written.vbv_buffer_size);
        EXPECT_EQ(written.aspect_ratio_code, 1);
        EXPECT_EQ(written.constrained_parameters, codec == Codec::mpeg1);
        EXPECT_EQ(written.has_display_extension, codec == Codec::mpeg2);
        if (codec == Codec::mpeg1) continue;
        EXPECT_EQ(written.profile_and_level, 0x4A) << "Low Level";
        EXPECT_EQ(written.colour_primaries, 5);
        EXPECT_EQ(written.transfer_characteristics, 6);
        EXPECT_EQ(written.matrix_coefficients, 5);
    }
}

} // namespace
} // namespace tandem
