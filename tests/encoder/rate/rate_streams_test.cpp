// SPDX-License-Identifier: BSD-2-Clause
// Streams under rate control: their rate, what they declare, and their buffer by the checker that shares nothing with
// it.
#include <gtest/gtest.h>

#include <cmath>

#include "machine/errors.h"
#include "machine/simd_level.h"
#include "tests/encoder/encoded_clip.h"
#include "tests/encoder/rate/vbv_checker.h"
#include "video/quality/quality.h"

namespace tandem::test {
namespace {

/// 60 pictures, a cut among them.
Clip clip() {
    Clip joined = scene_clip(96, 64, 30, SceneKind::objects);
    for (const FramePtr& frame : scene_clip(96, 64, 30, SceneKind::noise))
        joined.push_back(frame);
    return joined;
}

Settings at_rate(double kbps, Codec codec = Codec::mpeg2, int bframes = 2) {
    Settings settings = quick_settings(codec);
    settings.keyint = 12;
    settings.bframes = bframes;
    settings.rate.bits_per_second = 1000 * kbps;
    return settings;
}

Settings with_buffer(Settings settings, double seconds, bool constant) {
    settings.rate.vbv_bits_per_second = settings.rate.bits_per_second;
    settings.rate.vbv_bits = settings.rate.bits_per_second * seconds;
    settings.rate.constant = constant;
    return settings;
}

double kbps_of(const EncodedClip& encoded) {
    return static_cast<double>(encoded.bytes.size()) * 8 / 1000 / static_cast<double>(encoded.pictures.size()) *
           encoded.format.frame_rate.value();
}

double psnr_of(const EncodedClip& encoded) {
    SquaredErrors errors;
    for (const CodedPicture& picture : encoded.pictures)
        errors.add(
            squared_errors(*picture.source, *picture.reconstruction, encoded.format.width, encoded.format.height));
    return errors.psnr(0);
}

std::vector<PassRecord> records_of(const EncodedClip& encoded) {
    std::vector<PassRecord> records;
    for (const CodedPicture& picture : encoded.pictures) {
        const PictureStats& stats = picture.stats;
        records.push_back({stats.display_index, stats.type, stats.even_quantiser,
                           8 * (stats.bytes - stats.stuffing_bytes), stats.costs.intra, stats.costs.inter});
    }
    return records;
}

TEST(RateStreams, KeepTheirBuffer) {
    for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
        for (const int bframes : {0, 2}) {
            for (const bool constant : {false, true}) {
                const EncodedClip encoded = encode(with_buffer(at_rate(500, codec, bframes), 0.5, constant), clip());
                const BufferedStream stream = read_buffered_stream(encoded.bytes);
                const BufferFindings found = check_buffer(stream);
                EXPECT_EQ(text_of(found), "holds") << static_cast<int>(codec) << ", " << bframes << " B, " << constant;
                EXPECT_EQ(found.constant_rate, constant);
                EXPECT_EQ(stream.bits_per_second, 500000);
                EXPECT_EQ(stream.buffer_bits, 15 * 16384) << "250,000 bits in whole units";
            }
        }
    }
}

TEST(RateStreams, AnUnderflowThatNobodyCanHelpIsSeenByBoth) {
    Settings settings = with_buffer(at_rate(24), 0.7, true);
    EXPECT_THROW(encode(settings, clip()), RunError);
    settings.rate.soft = true;
    const EncodedClip encoded = encode(settings, clip());
    EXPECT_FALSE(check_buffer(read_buffered_stream(encoded.bytes)).underflows.empty());
}

TEST(RateStreams, AConstantRateFillsTheChannel) {
    const Clip still(60, scene_clip(96, 64, 1).front());
    const EncodedClip encoded = encode(with_buffer(at_rate(800), 0.5, true), still);
    EXPECT_EQ(text_of(check_buffer(read_buffered_stream(encoded.bytes))), "holds");
    // What is in the buffer at the end has not been taken, and what was there at the beginning was.
    EXPECT_NEAR(kbps_of(encoded), 800, 800 * 0.5 / 2.4);
    EXPECT_GT(kbps_of(encoded), 2 * kbps_of(encode(at_rate(800), still)));
}

/// What a picture took says what such pictures take; the zeros behind it do not.
TEST(RateStreams, StuffingIsNoPartOfWhatAPictureTook) {
    const Clip still(60, scene_clip(96, 64, 1).front());
    const EncodedClip stuffed = encode(with_buffer(at_rate(800), 0.5, true), still);
    const EncodedClip same = encode(with_buffer(at_rate(800), 0.5, false), still);
    const PictureStats& last = stuffed.pictures.back().stats;
    EXPECT_EQ(last.bytes, stuffed.pictures.back().bytes.size());
    EXPECT_GT(last.stuffing_bytes, 1000U);
    EXPECT_LE(last.bytes - last.stuffing_bytes, same.pictures.back().stats.bytes);
    EXPECT_EQ(same.pictures.back().stats.stuffing_bytes, 0U);
}

TEST(RateStreams, TwoPassesKeepTheRate) {
    Settings settings = at_rate(400);
    settings.rate.before = records_of(encode(settings, clip()));
    EXPECT_NEAR(kbps_of(encode(settings, clip())), 400, 400 * 0.02);
}

/// What importance and the filter are told of the quantiser is what comes of the rate, however far that is from a bit
/// for each sample.
TEST(RateStreams, ASecondPassIsAsGoodAsAConstantQuantiser) {
    Settings settings = quick_settings();
    settings.mbtree = true;
    settings.temporal_filter = 1;
    settings.bframes = 2;
    settings.keyint = 60;
    for (const int qp : {3, 8, 14}) {
        settings.rate = {};
        settings.qp = qp;
        const Clip noise = scene_clip(96, 64, 60, SceneKind::noise);
        const EncodedClip constant = encode(settings, noise);
        settings.rate.bits_per_second = 1000 * kbps_of(constant);
        settings.rate.before = records_of(encode(settings, noise));
        const EncodedClip second = encode(settings, noise);
        EXPECT_NEAR(kbps_of(second) / kbps_of(constant), 1, 0.02) << qp;
        EXPECT_GT(psnr_of(second), psnr_of(constant) - 0.03) << qp;
    }
}

TEST(RateStreams, ThreadsChangeNothing) {
    for (const auto& [has_buffer, mbtree] :
         {std::pair(false, false), std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
        Settings settings = at_rate(400);
        if (has_buffer) settings = with_buffer(settings, 0.5, false);
        settings.mbtree = mbtree;
        const EncodedClip one = encode(settings, clip());
        settings.threads = 3;
        for (const int pictures_under_way : {2, 40}) {
            settings.lookahead = pictures_under_way;
            EXPECT_TRUE(encode(settings, clip()).bytes == one.bytes) << has_buffer << ", " << pictures_under_way;
        }
        settings.rate.before = records_of(one);
        const EncodedClip second = encode(settings, clip());
        settings.threads = 1;
        EXPECT_TRUE(second.bytes == encode(settings, clip()).bytes) << has_buffer;
    }
}

TEST(RateStreams, WhatMacroblocksAreWorthChangesNoRateAndNoBuffer) {
    Settings settings = at_rate(400);
    settings.mbtree = true;
    const EncodedClip spread = encode(settings, clip());
    EXPECT_FALSE(spread.bytes == encode(at_rate(400), clip()).bytes);
    EXPECT_NEAR(kbps_of(spread), 400, 400 * 0.15) << "in one pass, of 2.4 seconds with a cut";
    settings.rate.before = records_of(spread);
    EXPECT_NEAR(kbps_of(encode(settings, clip())), 400, 400 * 0.02);
    settings = with_buffer(settings, 0.5, false);
    EXPECT_EQ(text_of(check_buffer(read_buffered_stream(encode(settings, clip()).bytes))), "holds");
}

/// Else a second pass, which plans in them, expects other sizes than its pictures take.
TEST(RateStreams, APassCountsInEvenQuantisers) {
    Settings settings = quick_settings(Codec::mpeg2);
    settings.mbtree = true;
    settings.qp = 8;
    int spread = 0;
    for (const CodedPicture& picture : encode(settings, clip()).pictures) {
        if (picture.stats.type != PictureType::predicted) continue;
        EXPECT_EQ(picture.stats.even_quantiser, 8) << picture.stats.display_index;
        spread += picture.stats.quantiser != 8 ? 1 : 0;
    }
    EXPECT_GT(spread, 10);
}

TEST(RateStreams, InstructionSetsChangeNothing) {
    const SimdLevel best = simd_level();
    Settings settings = with_buffer(at_rate(400), 0.5, false);
    const EncodedClip first = encode(settings, clip());
    Settings second = settings;
    second.rate.before = records_of(first);
    const EncodedClip of_two = encode(second, clip());
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2}) {
        if (level > best) continue;
        set_simd_level(level);
        const EncodedClip same = encode(settings, clip());
        EXPECT_TRUE(same.bytes == first.bytes) << name_of(level);
        second.rate.before = records_of(same);
        EXPECT_TRUE(encode(second, clip()).bytes == of_two.bytes) << name_of(level) << ", second pass";
    }
    set_simd_level(best);
}

TEST(RateStreams, AQualityIsCoarserWhereItIsLower) {
    double before = 1e9;
    for (const double quality : {14, 20, 26, 32}) {
        Settings settings = quick_settings();
        settings.rate.quality = quality;
        const double kbps = kbps_of(encode(settings, scene_clip(96, 64, 30)));
        EXPECT_LT(kbps, before * 0.8) << quality;
        before = kbps;
    }
}

TEST(RateStreams, ContradictionsAreProblemsOfTheSettings) {
    const VideoFormat format = format_of(scene_clip(96, 64, 1));
    const auto problem_of = [&](const Settings& settings) {
        const std::vector<std::string> problems = settings.validate(format);
        return problems.empty() ? std::string() : problems.front();
    };
    EXPECT_EQ(problem_of(at_rate(500)), "");
    Settings settings = with_buffer(at_rate(500), 0.5, false);
    settings.rate.vbv_bits_per_second = 400e3;
    EXPECT_NE(problem_of(settings).find("more than what fills the buffer"), std::string::npos);
    settings = at_rate(500);
    settings.rate.quality = 20;
    EXPECT_NE(problem_of(settings).find("exclude each other"), std::string::npos);
    settings = at_rate(500);
    settings.rate.vbv_bits = 1e6;
    EXPECT_NE(problem_of(settings).find("no rate that fills it"), std::string::npos);
    settings = at_rate(500);
    settings.rate.vbv_bits_per_second = 1e6;
    EXPECT_NE(problem_of(settings).find("no size"), std::string::npos);
    settings = at_rate(500);
    settings.rate.constant = true;
    EXPECT_NE(problem_of(settings).find("needs a buffer"), std::string::npos);
    settings = at_rate(500);
    settings.rate.least_quantiser = 9;
    settings.rate.largest_quantiser = 8;
    EXPECT_NE(problem_of(settings).find("larger than the largest"), std::string::npos);
}

} // namespace
} // namespace tandem::test
