// SPDX-License-Identifier: BSD-2-Clause
// What is wrong with settings: Settings::validate().
#include <cmath>
#include <cstdint>
#include <numeric>

#include "encoder/codec_syntax.h"
#include "encoder/mpeg/compatibility.h"
#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/mpeg/sequence.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"
#include "encoder/settings.h"
#include "encoder/settings/setting_rows.h"

namespace tandem {

namespace {

using Problems = std::vector<std::string>;

void check_range(Problems& problems, const char* name, double value, double least, double most) {
    if (auto problem = range_problem(name, value, least, most)) problems.push_back(std::move(*problem));
}

void check_matrix(Problems& problems, const char* name, const std::optional<QuantiserMatrix>& matrix) {
    if (!matrix) return;
    for (std::size_t i = 0; i < matrix->size(); ++i) {
        if ((*matrix)[i] == 0) {
            problems.push_back(std::string(name) + " entry " + std::to_string(i) + " is 0; entries are 1..255");
            return;
        }
    }
}

void check_size(Problems& problems, Codec codec, const VideoFormat& format) {
    const int most = codec_syntax(codec).largest_side;
    check_range(problems, "width", format.width, 1, most);
    check_range(problems, "height", format.height, 1, most);
    // The 12 low bits of a size of MPEG-2 may not be zero (13818-2 clause 6.3.3).
    if (format.width > 0 && format.width % 4096 == 0) {
        problems.push_back("width " + std::to_string(format.width) +
                           " is a multiple of 4096, which MPEG cannot say; --filter scale=4080:-2 makes another");
    }
    if (format.height > 0 && format.height % 4096 == 0) {
        problems.push_back("height " + std::to_string(format.height) +
                           " is a multiple of 4096, which MPEG cannot say; --filter scale=-2:4080 makes another");
    }
}

void check_frame_rate(Problems& problems, Codec codec, Rational rate) {
    if (rate.numerator < 1 || rate.denominator < 1 || rate.numerator > INT32_MAX || rate.denominator > INT32_MAX) {
        problems.push_back("frame rate " + std::to_string(rate.numerator) + "/" + std::to_string(rate.denominator) +
                           " is not a rate");
        return;
    }
    if (frame_rate_code(codec, rate)) return;
    std::string message = "frame rate " + std::to_string(rate.numerator) + "/" + std::to_string(rate.denominator) +
                          " cannot be said in " + std::string(codec_row(codec).title) + "; nearest:";
    for (const Rational near : nearest_frame_rates(codec, rate)) {
        const std::int64_t divisor = std::gcd(near.numerator, near.denominator);
        message += " " + std::to_string(near.numerator / divisor) + "/" + std::to_string(near.denominator / divisor);
    }
    problems.push_back(message + " (--fps sets another)");
}

/// As 13818-2 clause 6.3.6 codes them: 8 bits, of which 0 is forbidden.
void check_colours(Problems& problems, Codec codec, const ColourDescription& colour) {
    if (!codec_syntax(codec).says_colours) return;
    check_range(problems, "colour primaries", colour.primaries, 1, 255);
    check_range(problems, "transfer characteristics", colour.transfer, 1, 255);
    check_range(problems, "matrix coefficients", colour.matrix, 1, 255);
}

void check_slices(Problems& problems, const Settings& settings, const VideoFormat& format) {
    if (settings.slices <= 0) return; // Negative ones are refused by their row.
    const int columns = (format.width + 15) / 16;
    const int rows = (format.height + 15) / 16;
    const CodecSyntax& syntax = codec_syntax(settings.codec);
    const int least = syntax.row_begins_slice ? rows : 1;
    if (settings.slices >= least && settings.slices <= columns * rows) return;
    problems.push_back("slices is " + std::to_string(settings.slices) + "; it must be " + std::to_string(least) +
                       " to " + std::to_string(columns * rows) + " here" +
                       (syntax.row_begins_slice ? " (in MPEG-2 every macroblock row starts a slice)" : ""));
}

/// "linear", "auto and 0": the values that a codec has of a row whose values are words, or of one with a single value.
std::string values_text(const SettingRow<Settings>& row, const CodecLimits& limits) {
    if (row.words.empty()) return setting_value_text(row.words, limits.least);
    std::string text;
    for (const SettingWord& word : row.words) {
        if (word.value < limits.least || word.value > limits.most) continue;
        text += (text.empty() ? "" : " and ") + std::string(word.word);
    }
    return text;
}

/// What a row allows, but this codec does not.
void check_codec_limits(Problems& problems, const SettingRow<Settings>& row, const Settings& settings) {
    const double value = row.field.get(settings);
    if (std::isnan(value)) return; // It is left open.
    for (const CodecLimits& limits : row.limits_in_codec) {
        if (limits.codec != settings.codec || (value >= limits.least && value <= limits.most)) continue;
        const std::string name(row.name), codec(codec_row(limits.codec).title);
        if (row.field.type == SettingType::toggle && row.words.empty())
            problems.push_back(codec + " has no " + name);
        else if (limits.least == limits.most || !row.words.empty())
            problems.push_back(name + " is " + setting_value_text(row.words, value) + "; " + codec + " has only " +
                               values_text(row, limits));
        else
            problems.push_back(*range_problem(name, value, limits.least, limits.most) + " in " + codec);
    }
}

void check_rows(Problems& problems, const Settings& settings) {
    for (const SettingRow<Settings>& row : setting_rows()) {
        if (auto problem = setting_problem(row, settings))
            problems.push_back(std::move(*problem));
        else
            check_codec_limits(problems, row, settings);
    }
}

/// Types of single pictures that cannot be, as far as that is seen before the pictures are.
void check_given_types(Problems& problems, const Settings& settings) {
    const int most_b = settings.keyint > 1 ? settings.bframes : 0;
    std::int64_t before = -2;
    int in_a_row = 0;
    for (const GivenPicture& picture : settings.rate.given) {
        const std::string name = "picture " + std::to_string(picture.display_index);
        if (picture.display_index == 0 && picture.type.value_or(PictureType::intra) != PictureType::intra)
            problems.push_back(name + " is given as another than an I picture; the first is one");
        if (picture.display_index != before + 1) in_a_row = 0;
        before = picture.display_index;
        in_a_row = picture.type == PictureType::bidirectional ? in_a_row + 1 : 0;
        if (in_a_row <= most_b) continue;
        problems.push_back(name + " is given as B picture number " + std::to_string(in_a_row) +
                           " in a row; bframes and keyint allow " + std::to_string(most_b));
        return;
    }
}

/// What the search itself refuses.
void check_search(Problems& problems, const Settings& settings) {
    for (std::string& problem : search_params(settings, PictureType::predicted, largest_distance(settings)).validate())
        problems.push_back(std::move(problem));
}

} // namespace

std::vector<std::string> Settings::validate(const VideoFormat& format) const {
    Problems problems;
    check_rows(problems, *this);
    if (static_cast<std::size_t>(codec) >= codec_table().size()) return problems; // No row says what it can.
    check_size(problems, codec, format);
    check_frame_rate(problems, codec, format.frame_rate);
    if (min_keyint > keyint) {
        problems.push_back("min-keyint " + std::to_string(min_keyint) + " is more than keyint " +
                           std::to_string(keyint));
    }
    check_colours(problems, codec, format.colour);
    check_matrix(problems, "intra matrix", intra_matrix);
    check_matrix(problems, "non-intra matrix", non_intra_matrix);
    if (intra_matrix && (*intra_matrix)[0] != 8) problems.push_back("the first entry of an intra matrix is 8");
    const CodecSyntax& syntax = codec_syntax(codec);
    for (std::string& problem : problems_of(rate, syntax.most_rate_units, syntax.most_buffer_units))
        problems.push_back(std::move(problem));
    check_given_types(problems, *this);
    check_slices(problems, *this, format);
    if (problems.empty()) check_search(problems, *this);
    if (problems.empty() && compatibility != Compatibility::any) {
        std::vector<std::string> notes;
        problems = compatibility_problems(*this, format, make_sequence(*this, format, notes));
    }
    return problems;
}

} // namespace tandem
