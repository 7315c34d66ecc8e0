// SPDX-License-Identifier: BSD-2-Clause
// The standards of --compat: what they set, and that each of their limits refuses what is beyond it.
#include "encoder/mpeg/compatibility.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "encoder/mpeg/sequence.h"
#include "encoder/settings/setting_names.h"
#include "video/frame_rate.h"

namespace tandem::test {
namespace {

/// The first picture that a row allows, in an aspect and at a rate that it allows.
VideoFormat allowed_format(const AllowedPicture& picture) {
    VideoFormat format;
    format.width = picture.width;
    format.height = picture.height;
    for (unsigned code = 8; code >= 1; --code)
        if ((picture.frame_rates >> code & 1U) != 0) format.frame_rate = standard_frame_rates[code - 1];
    format.sample_aspect = {1, 1};
    // 4:3 or 16:9, as ratio of the samples.
    if ((picture.aspect_codes >> 2 & 1U) != 0)
        format.sample_aspect = {4LL * picture.height, 3LL * picture.width};
    else if ((picture.aspect_codes >> 3 & 1U) != 0)
        format.sample_aspect = {16LL * picture.height, 9LL * picture.width};
    return format;
}

Settings fitted(const CompatibilityRow& row, const VideoFormat& format) {
    Settings settings;
    settings.compatibility = row.compatibility;
    settings.codec = row.codec;
    settings.rate.quality = 23;
    fit_to_standard({}, format, settings);
    return settings;
}

std::string problem_of(const Settings& settings, const VideoFormat& format) {
    const std::vector<std::string> problems = settings.validate(format);
    return problems.empty() ? std::string() : problems.front();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class Check> void for_each_picture(const Check& check) {
    for (const CompatibilityRow& row : compatibility_table()) {
        for (const AllowedPicture& picture : row.pictures) {
            SCOPED_TRACE(std::string(name_of(compatibility_names, row.compatibility)) + " " +
                         std::to_string(picture.width) + "x" + std::to_string(picture.height));
            check(row, allowed_format(picture));
        }
    }
}

TEST(Compatibility, WhatItSetsIsWithinItsLimits) {
    for_each_picture([](const CompatibilityRow& row, const VideoFormat& format) {
        const Settings settings = fitted(row, format);
        EXPECT_EQ(problem_of(settings, format), "");
        EXPECT_EQ(settings.rate.constant, row.constant_kbps > 0);
        std::vector<std::string> notes;
        const MpegSequence sequence = make_sequence(settings, format, notes);
        EXPECT_EQ(sequence.vbv_buffer_size, row.buffer_units);
        EXPECT_EQ(sequence.progressive, row.progressive_sequence);
        EXPECT_EQ(sequence.constrained_parameters, row.codec == Codec::mpeg1);
        if (row.codec == Codec::mpeg2) {
            EXPECT_EQ(sequence.profile_and_level, row.profile_and_level);
        }
        if (row.constant_kbps <= 0) {
            EXPECT_EQ(sequence.bit_rate, row.bits_per_second / 400);
        }
    });
}

TEST(Compatibility, WhatIsBeyondALimitIsRefusedWithIt) {
    for_each_picture([](const CompatibilityRow& row, const VideoFormat& format) {
        const Settings good = fitted(row, format);
        Settings settings = good;
        settings.rate.vbv_bits_per_second = static_cast<double>(row.bits_per_second) + 1000;
        if (settings.rate.constant) settings.rate.bits_per_second = settings.rate.vbv_bits_per_second;
        EXPECT_TRUE(contains(problem_of(settings, format), "bit rate is")) << problem_of(settings, format);
        settings = good;
        settings.rate.vbv_bits = (row.buffer_units + 1) * buffer_unit;
        EXPECT_TRUE(contains(problem_of(settings, format), "decoder's buffer is")) << problem_of(settings, format);
        settings = good;
        settings.rate.vbv_bits = settings.rate.vbv_bits_per_second = 0;
        settings.rate.constant = false;
        EXPECT_FALSE(problem_of(settings, format).empty()) << "no buffer at all";
        VideoFormat wrong = format;
        wrong.width += 8;
        EXPECT_TRUE(contains(problem_of(good, wrong), std::to_string(wrong.width) + "x"));
        wrong = format;
        wrong.frame_rate.numerator *= 2;
        wrong.frame_rate.denominator *= 3;
        EXPECT_FALSE(problem_of(good, wrong).empty()) << "two thirds of the frame rate";
        settings = good;
        settings.codec = row.codec == Codec::mpeg1 ? Codec::mpeg2 : Codec::mpeg1;
        EXPECT_FALSE(problem_of(settings, format).empty()) << "the other codec";
    });
}

/// What a reader of the headers says of them, changed one by one.
TEST(Compatibility, HeadersBeyondALimitAreFound) {
    for_each_picture([](const CompatibilityRow& row, const VideoFormat& format) {
        std::vector<std::string> notes;
        const MpegSequence good = make_sequence(fitted(row, format), format, notes);
        EXPECT_EQ(compatibility_problems(row, good), std::vector<std::string>{});
        const auto expect_found = [&](const char* part, const auto& change) {
            MpegSequence sequence = good;
            change(sequence);
            const std::vector<std::string> problems = compatibility_problems(row, sequence);
            const bool found = std::any_of(problems.begin(), problems.end(),
                                           [&](const std::string& each) { return contains(each, part); });
            EXPECT_TRUE(found) << part;
        };
        expect_found("the headers say", [](MpegSequence& each) { each.width += 48; });
        expect_found("the headers say", [](MpegSequence& each) { each.height -= 16; });
        for (int code = 1; code <= 8; ++code) {
            const bool is_allowed = std::ranges::any_of(row.pictures, [&](const AllowedPicture& each) {
                return each.width == format.width && each.height == format.height &&
                       (each.frame_rates >> code & 1) != 0;
            });
            if (!is_allowed) expect_found("the headers say", [&](MpegSequence& each) { each.frame_rate_code = code; });
        }
        expect_found("with an extension", [](MpegSequence& each) { each.frame_rate_extension_d = 1; });
        expect_found("highest bit rate", [&](MpegSequence& each) {
            each.bit_rate = static_cast<std::uint32_t>(row.bits_per_second / 400 + 1);
        });
        expect_found("decoder's buffer", [&](MpegSequence& each) { each.vbv_buffer_size = row.buffer_units + 1; });
        expect_found("non-intra matrix has an entry 0", [](MpegSequence& each) { each.non_intra_matrix[63] = 0; });
        expect_found("the intra matrix has an entry 0", [](MpegSequence& each) { each.intra_matrix[1] = 0; });
        if (row.codec == Codec::mpeg1)
            expect_found("no constrained one", [](MpegSequence& each) { each.constrained_parameters = false; });
        else
            expect_found("profile and level", [](MpegSequence& each) { each.profile_and_level ^= 0x10; });
        if (!row.progressive_sequence)
            expect_found("progressive_sequence is 1", [](MpegSequence& each) { each.progressive = true; });
        if (row.codec == Codec::mpeg2)
            expect_found("the aspect is", [](MpegSequence& each) { each.aspect_ratio_code = 9; });
    });
}

TEST(Compatibility, GroupsAspectsAndLevelsAreHeld) {
    VideoFormat format;
    format.width = 720;
    format.height = 576;
    format.frame_rate = {25, 1};
    format.sample_aspect = {16, 15};
    Settings dvd;
    dvd.compatibility = Compatibility::dvd;
    dvd.rate.quality = 23;
    dvd.bframes = 3; // Those before an I picture are coded after it, and belong to its group.
    fit_to_standard({}, format, dvd);
    EXPECT_EQ(dvd.keyint, 12);
    dvd.bframes = 0;
    fit_to_standard({}, format, dvd);
    EXPECT_EQ(dvd.keyint, 15);
    EXPECT_EQ(problem_of(dvd, format), "");
    dvd.keyint = 16;
    EXPECT_EQ(problem_of(dvd, format), "--compat dvd: keyint is 16; at most 15 are allowed at 25 pictures a second");
    dvd.keyint = 15;
    dvd.intra_dc_precision = 11;
    EXPECT_TRUE(contains(problem_of(dvd, format), "profile and level are 24"));
    dvd.intra_dc_precision = 10;
    format.sample_aspect = {1, 1};
    EXPECT_TRUE(
        contains(problem_of(dvd, format), "the aspect is square samples; with 720x576 it must be of 4:3, 16:9"));
    format.height = 480;
    format.frame_rate = {30000, 1001};
    format.sample_aspect = {8, 9};
    dvd.keyint = 18;
    EXPECT_EQ(problem_of(dvd, format), "");
}

TEST(Compatibility, WhatIsChosenStays) {
    VideoFormat format;
    format.width = 352;
    format.height = 288;
    format.frame_rate = {25, 1};
    Settings vcd;
    vcd.codec = Codec::mpeg1;
    vcd.compatibility = Compatibility::vcd;
    vcd.keyint = 9;
    vcd.bframes = 5;
    vcd.rate.bits_per_second = 1000e3;
    vcd.rate.vbv_bits = 10 * buffer_unit;
    ChosenOptions chosen;
    chosen.keyint = chosen.bframes = chosen.buffer_size = true;
    fit_to_standard(chosen, format, vcd);
    EXPECT_EQ(vcd.keyint, 9);
    EXPECT_EQ(vcd.bframes, 5);
    EXPECT_EQ(vcd.rate.vbv_bits_per_second, 1000e3);
    EXPECT_EQ(vcd.rate.vbv_bits, 10 * buffer_unit);
    EXPECT_TRUE(vcd.rate.constant);
    EXPECT_EQ(problem_of(vcd, format), "");
    vcd.rate = {};
    vcd.rate.quality = 20;
    chosen = {};
    chosen.keyint = chosen.quality = true;
    fit_to_standard(chosen, format, vcd);
    EXPECT_EQ(vcd.bframes, 3);
    EXPECT_TRUE(contains(problem_of(vcd, format), "the rate has to be constant"));
    vcd.range = 100;
    vcd.search.algorithm = Algorithm::full;
    vcd.rate = {};
    fit_to_standard({}, format, vcd);
    EXPECT_TRUE(contains(problem_of(vcd, format), "no constrained one"));
}

} // namespace
} // namespace tandem::test
