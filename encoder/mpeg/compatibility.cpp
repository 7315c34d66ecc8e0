// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/compatibility.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/reach.h"
#include "encoder/settings/setting_names.h"
#include "video/frame_rate.h"

namespace tandem {

namespace {

using Problems = std::vector<std::string>;

// Frame rates by frame_rate_code, and aspects by aspect_ratio_information.
constexpr unsigned film = 1U << 1, cinema = 1U << 2, pal = 1U << 3, ntsc = 1U << 4, thirty = 1U << 5, fifty = 1U << 6,
                   sixty = 1U << 7 | 1U << 8, any_slow = film | cinema | ntsc | thirty;
constexpr unsigned square = 1U << 1, tv = 1U << 2, wide = 1U << 3, widest = 1U << 4;

constexpr std::array<AllowedPicture, 2> vcd{{{352, 240, film | ntsc, 0}, {352, 288, pal, 0}}};
constexpr std::array<AllowedPicture, 2> svcd{{{480, 480, ntsc, tv | wide}, {480, 576, pal, tv | wide}}};
constexpr std::array<AllowedPicture, 7> dvd{{{720, 480, ntsc, tv | wide},
                                             {704, 480, ntsc, tv | wide},
                                             {352, 480, ntsc, tv},
                                             {720, 576, pal, tv | wide},
                                             {704, 576, pal, tv | wide},
                                             {352, 576, pal, tv},
                                             {352, 288, pal, tv}}};
constexpr std::array<AllowedPicture, 2> dvd_mpeg1{{{352, 240, ntsc, 0}, {352, 288, pal, 0}}};
constexpr std::array<AllowedPicture, 2> atsc_high{
    {{1920, 1080, any_slow, square | wide}, {1280, 720, any_slow | sixty, square | wide}}};
constexpr std::array<AllowedPicture, 2> atsc_standard{
    {{704, 480, any_slow | sixty, tv | wide}, {640, 480, any_slow | sixty, square | tv}}};
constexpr unsigned any_tv = tv | wide | widest;
constexpr std::array<AllowedPicture, 11> dvb_standard{{{720, 576, pal, any_tv},
                                                       {544, 576, pal, any_tv},
                                                       {480, 576, pal, any_tv},
                                                       {352, 576, pal, any_tv},
                                                       {352, 288, pal, any_tv},
                                                       {720, 480, any_slow, any_tv},
                                                       {640, 480, any_slow, any_tv | square},
                                                       {544, 480, any_slow, any_tv},
                                                       {480, 480, any_slow, any_tv},
                                                       {352, 480, any_slow, any_tv},
                                                       {352, 240, any_slow, any_tv}}};
constexpr std::array<AllowedPicture, 3> dvb_high{{{1920, 1080, any_slow | pal, square | wide | widest},
                                                  {1440, 1080, any_slow | pal, wide | widest},
                                                  {1280, 720, any_slow | pal | fifty | sixty, square | wide | widest}}};

constexpr int main_level = 0x48, high_level = 0x44;

constexpr std::array<CompatibilityRow, 8> table{{
    {Compatibility::vcd, Codec::mpeg1,
     "Video CD Specification 2.0 (\"White Book\"); constrained parameters: 11172-2 "
     "clause 2.4.3.2",
     vcd, 0, 1151929, 20, 2, 0.6, 0, 1150, true, "vcd"},
    {Compatibility::svcd, Codec::mpeg2, "Super Video CD, IEC 62107", svcd, main_level, 2600000, 112, 0, 0.6, 0, 0,
     false, "svcd"},
    {Compatibility::dvd, Codec::mpeg2, "DVD Specifications for Read-Only Disc, part 3 (\"Book B\")", dvd, main_level,
     9800000, 112, 0.6, 0.6, 0, 0, false, "dvd"},
    {Compatibility::dvd, Codec::mpeg1, "DVD Specifications for Read-Only Disc, part 3 (\"Book B\")", dvd_mpeg1, 0,
     1856000, 20, 0.6, 0.6, 0, 0, true, "dvd"},
    {Compatibility::atsc, Codec::mpeg2, "ATSC A/53 part 4, clause 6.1", atsc_high, high_level, 19400000, 488, 0, 0.5,
     0.5, 0, true, nullptr},
    {Compatibility::atsc, Codec::mpeg2, "ATSC A/53 part 4, clause 6.1", atsc_standard, main_level, 15000000, 112, 0,
     0.5, 0.5, 0, true, nullptr},
    {Compatibility::dvb, Codec::mpeg2, "ETSI TS 101 154, MPEG-2 HDTV; 13818-2 tables 8-11 to 8-14", dvb_high,
     high_level, 80000000, 597, 0, 0.5, 0, 0, true, nullptr},
    {Compatibility::dvb, Codec::mpeg2, "ETSI TS 101 154, MPEG-2 SDTV; 13818-2 tables 8-11 to 8-14", dvb_standard,
     main_level, 15000000, 112, 0, 0.5, 0, 0, true, nullptr},
}};

std::string kbit(double bits) {
    std::string digits = std::to_string(bits / 1000);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

std::string name_of(Compatibility compatibility) {
    return std::string(tandem::name_of(compatibility_names, compatibility));
}

double rate_of(int frame_rate_code) {
    return standard_frame_rates[static_cast<std::size_t>(frame_rate_code - 1)].value();
}

/// "29.97".
std::string rate_text(double pictures_per_second) { return kbit(std::round(pictures_per_second * 1000)); }

/// "23.976, 29.97".
std::string rates_text(unsigned codes) {
    std::string text;
    for (int code = 1; code <= 8; ++code) {
        if ((codes >> code & 1U) == 0) continue;
        text += (text.empty() ? "" : ", ") + rate_text(rate_of(code));
    }
    return text;
}

/// "352x240 at 23.976, 29.97; 352x288 at 25".
std::string pictures_text(Compatibility compatibility, Codec codec) {
    std::string text;
    for (const CompatibilityRow& row : table) {
        if (row.compatibility != compatibility || row.codec != codec) continue;
        for (const AllowedPicture& each : row.pictures) {
            text += (text.empty() ? "" : "; ") + std::to_string(each.width) + "x" + std::to_string(each.height) +
                    " at " + rates_text(each.frame_rates);
        }
    }
    return text;
}

const AllowedPicture* allowed_picture(const CompatibilityRow& row, int width, int height, int frame_rate_code) {
    const auto found = std::ranges::find_if(row.pictures, [&](const AllowedPicture& each) {
        return each.width == width && each.height == height && (each.frame_rates >> frame_rate_code & 1U) != 0;
    });
    return found == row.pictures.end() ? nullptr : &*found;
}

bool has_codec(Compatibility compatibility, Codec codec) {
    return std::ranges::any_of(
        table, [&](const CompatibilityRow& row) { return row.compatibility == compatibility && row.codec == codec; });
}

/// Codes of table 6-4 alone: no standard has the extension.
int plain_rate_code(Codec codec, Rational rate) {
    const auto code = frame_rate_code(codec, rate);
    return code && code->extension_n == 0 && code->extension_d == 0 ? code->code : 0;
}

void check_picture(Problems& problems, const CompatibilityRow& row, const MpegSequence& sequence) {
    const bool extended = sequence.frame_rate_extension_n != 0 || sequence.frame_rate_extension_d != 0;
    const bool allowed =
        allowed_picture(row, sequence.width, sequence.height, sequence.frame_rate_code) != nullptr && !extended;
    if (allowed) return;
    problems.push_back("the headers say " + std::to_string(sequence.width) + "x" + std::to_string(sequence.height) +
                       " at frame_rate_code " + std::to_string(sequence.frame_rate_code) +
                       (extended ? " with an extension" : "") + "; allowed are " +
                       pictures_text(row.compatibility, row.codec));
}

void check_aspect(Problems& problems, const CompatibilityRow& row, const MpegSequence& sequence) {
    const AllowedPicture* picture = allowed_picture(row, sequence.width, sequence.height, sequence.frame_rate_code);
    if (picture == nullptr || picture->aspect_codes == 0) return;
    if ((picture->aspect_codes >> sequence.aspect_ratio_code & 1U) != 0) return;
    constexpr std::array<const char*, 16> names{
        "forbidden", "square samples", "4:3",      "16:9",     "2.21:1",   "reserved", "reserved", "reserved",
        "reserved",  "reserved",       "reserved", "reserved", "reserved", "reserved", "reserved", "reserved"};
    std::string allowed;
    for (std::size_t code = 1; code <= 4; ++code) {
        if ((picture->aspect_codes >> code & 1U) != 0)
            allowed += (allowed.empty() ? "" : ", ") + std::string(names[code]);
    }
    problems.push_back("the aspect is " + std::string(names.at(static_cast<std::size_t>(sequence.aspect_ratio_code))) +
                       "; with " + std::to_string(sequence.width) + "x" + std::to_string(sequence.height) +
                       " it must be of " + allowed + " (--aspect sets it)");
}

void check_rate(Problems& problems, const CompatibilityRow& row, const MpegSequence& sequence) {
    const std::int64_t rate = 400 * std::int64_t{sequence.bit_rate};
    if (rate > row.bits_per_second) {
        problems.push_back("the highest bit rate is " + kbit(static_cast<double>(rate)) + " kbit/s; at most " +
                           kbit(static_cast<double>(row.bits_per_second)) + " are allowed");
    }
    if (sequence.vbv_buffer_size > row.buffer_units) {
        problems.push_back("the decoder's buffer is " + kbit(sequence.vbv_buffer_size * buffer_unit) +
                           " kbit; at most " + kbit(row.buffer_units * buffer_unit) + " are allowed");
    }
}

void check_level(Problems& problems, const CompatibilityRow& row, const MpegSequence& sequence) {
    if (row.codec == Codec::mpeg1) {
        if (!sequence.constrained_parameters)
            problems.push_back(
                "the stream is no constrained one (11172-2 clause 2.4.3.2: vectors within 64 pels, rate, "
                "size and buffer)");
        return;
    }
    if (sequence.profile_and_level == row.profile_and_level) return;
    problems.push_back(
        "profile and level are " + std::to_string(sequence.profile_and_level) + "; they must be " +
        (row.profile_and_level == main_level ? "Main Profile at Main Level (72)" : "Main Profile at High Level (68)"));
}

void check_progressive(Problems& problems, const CompatibilityRow& row, const MpegSequence& sequence) {
    if (row.codec == Codec::mpeg2 && sequence.progressive && !row.progressive_sequence)
        problems.push_back("progressive_sequence is 1; it must be 0");
}

void check_matrix(Problems& problems, const char* name, const QuantiserMatrix& matrix) {
    if (std::ranges::find(matrix, 0) != matrix.end())
        problems.push_back("the " + std::string(name) + " matrix has an entry 0; entries are 1..255");
}

/// Pictures that a group may have beyond keyint where their types are decided ahead: B pictures before its I picture
/// are coded after it, and those before the next one may be missing.
int extra_group_pictures(const Settings& settings) { return looks_ahead(settings) ? settings.bframes : 0; }

void check_group(Problems& problems, const CompatibilityRow& row, const Settings& settings, int rate_code) {
    const int most = most_group_pictures(row, rate_code);
    if (most == 0 || settings.keyint <= most - extra_group_pictures(settings)) return;
    problems.push_back("keyint is " + std::to_string(settings.keyint) + "; at most " +
                       std::to_string(most - extra_group_pictures(settings)) + " are allowed at " +
                       rates_text(1U << rate_code) + " pictures a second");
}

void check_constant_rate(Problems& problems, const CompatibilityRow& row, const Settings& settings) {
    const RateSettings& rate = settings.rate;
    if (row.constant_kbps > 0 && !(rate.constant && rate.mode() == RateMode::average))
        problems.push_back("the rate has to be constant: --bitrate KBPS, and neither --crf nor --qp");
    if (rate.vbv_bits <= 0) problems.push_back("the stream has to keep to a decoder's buffer, and is not held to one");
    if (!rate.constant || row.most_delay_seconds <= 0 || rate.vbv_bits_per_second <= 0) return;
    const double delay =
        static_cast<double>(declared_buffer(rate).buffer_units) * buffer_unit / rate.vbv_bits_per_second;
    if (delay > row.most_delay_seconds) {
        problems.push_back("a constant rate fills the buffer in " + kbit(1000 * delay) + " s; at most " +
                           kbit(1000 * row.most_delay_seconds) + " are allowed (--vbv-bufsize)");
    }
}

} // namespace

std::span<const CompatibilityRow> compatibility_table() { return table; }

const CompatibilityRow* compatibility_row(const Settings& settings, const VideoFormat& format) {
    const int rate_code = plain_rate_code(settings.codec, format.frame_rate);
    for (const CompatibilityRow& row : table) {
        if (row.compatibility != settings.compatibility || row.codec != settings.codec || rate_code == 0) continue;
        if (allowed_picture(row, format.width, format.height, rate_code) != nullptr) return &row;
    }
    return nullptr;
}

int most_horizontal_f_code(const CompatibilityRow& row) {
    return row.codec == Codec::mpeg1 ? 4 : row.profile_and_level == high_level ? 9 : 8;
}
int most_vertical_f_code(const CompatibilityRow& row) { return row.codec == Codec::mpeg1 ? 4 : 5; }

int most_group_pictures(const CompatibilityRow& row, int frame_rate_code) {
    // As the books count: 18 pictures at 29.97, 15 at 25.
    return static_cast<int>(std::floor(row.most_group_seconds * std::round(rate_of(frame_rate_code)) + 1e-9));
}

void fit_to_standard(const ChosenOptions& chosen, const VideoFormat& format, Settings& settings) {
    const CompatibilityRow* row = compatibility_row(settings, format);
    if (row == nullptr) return;
    RateSettings& rate = settings.rate;
    // Groups are short there, and those that open with B pictures are shorter by them.
    constexpr int most_b_pictures = 3;
    if (!chosen.bframes) settings.bframes = std::min(settings.bframes, most_b_pictures);
    if (!chosen.keyint)
        settings.keyint =
            static_cast<int>(std::floor(row->usual_group_seconds * std::round(format.frame_rate.value()))) -
            extra_group_pictures(settings);
    if (row->constant_kbps > 0 && !chosen.quality) {
        rate.constant = true;
        rate.quality.reset();
        if (rate.bits_per_second <= 0) rate.bits_per_second = row->constant_kbps * 1000;
    }
    if (!chosen.buffer_rate)
        rate.vbv_bits_per_second = rate.constant ? rate.bits_per_second : static_cast<double>(row->bits_per_second);
    if (chosen.buffer_size) return;
    rate.vbv_bits = row->buffer_units * buffer_unit;
    if (rate.constant && row->most_delay_seconds > 0)
        rate.vbv_bits = std::min(rate.vbv_bits, row->most_delay_seconds * rate.vbv_bits_per_second);
}

std::vector<std::string> compatibility_problems(const CompatibilityRow& row, const MpegSequence& sequence) {
    Problems problems;
    check_picture(problems, row, sequence);
    check_aspect(problems, row, sequence);
    check_rate(problems, row, sequence);
    check_level(problems, row, sequence);
    check_progressive(problems, row, sequence);
    check_matrix(problems, "intra", sequence.intra_matrix);
    check_matrix(problems, "non-intra", sequence.non_intra_matrix);
    return problems;
}

std::vector<std::string> compatibility_problems(const Settings& settings, const VideoFormat& format,
                                                const MpegSequence& sequence) {
    if (settings.compatibility == Compatibility::any) return {};
    const std::string name = "--compat " + name_of(settings.compatibility) + ": ";
    Problems problems;
    if (!has_codec(settings.compatibility, settings.codec)) {
        problems.push_back(std::string(codec_row(settings.codec).title) + " is not its codec");
    } else if (const CompatibilityRow* row = compatibility_row(settings, format); row == nullptr) {
        problems.push_back("the pictures are " + std::to_string(format.width) + "x" + std::to_string(format.height) +
                           " at " + rate_text(format.frame_rate.value()) + "; allowed are " +
                           pictures_text(settings.compatibility, settings.codec));
    } else {
        check_group(problems, *row, settings, plain_rate_code(settings.codec, format.frame_rate));
        check_constant_rate(problems, *row, settings);
        if (problems.empty()) problems = compatibility_problems(*row, sequence);
    }
    for (std::string& problem : problems)
        problem = name + problem;
    return problems;
}

} // namespace tandem
