// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "encoder/motion_ahead.h"
#include "encoder/mpeg/sequence.h"
#include "me/enumerators.h"
#include "me/search.h"

namespace tandem {

namespace {

using Problems = std::vector<std::string>;

void check_range(Problems& problems, const char* name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    const auto text = [](double number) {
        return number == std::floor(number) && std::abs(number) < 1e15 ? std::to_string(static_cast<long long>(number))
                                                                       : std::to_string(number);
    };
    problems.push_back(std::string(name) + " " + text(value) + " is outside " + text(least) + ".." + text(most));
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
    const int most = codec == Codec::mpeg1 ? 4095 : 16383;
    check_range(problems, "width", format.width, 1, most);
    check_range(problems, "height", format.height, 1, most);
    // The 12 low bits of a size of MPEG-2 may not be zero (13818-2 clause 6.3.3).
    if (format.width > 0 && format.width % 4096 == 0) {
        problems.push_back("width " + std::to_string(format.width) + " is a multiple of 4096, which MPEG cannot say");
    }
    if (format.height > 0 && format.height % 4096 == 0) {
        problems.push_back("height " + std::to_string(format.height) + " is a multiple of 4096, which MPEG cannot say");
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
                          " cannot be said in " + (codec == Codec::mpeg1 ? "MPEG-1" : "MPEG-2") + "; nearest:";
    for (const Rational near : nearest_frame_rates(codec, rate)) {
        message += " " + std::to_string(near.numerator) + "/" + std::to_string(near.denominator);
    }
    problems.push_back(message + " (--fps sets another)");
}

/// As 13818-2 clause 6.3.6 codes them: 8 bits, of which 0 is forbidden. MPEG-1 has no place for them.
void check_colours(Problems& problems, Codec codec, const ColourDescription& colour) {
    if (codec == Codec::mpeg1) return;
    check_range(problems, "colour primaries", colour.primaries, 1, 255);
    check_range(problems, "transfer characteristics", colour.transfer, 1, 255);
    check_range(problems, "matrix coefficients", colour.matrix, 1, 255);
}

void check_slices(Problems& problems, const Settings& settings, const VideoFormat& format) {
    if (settings.slices == 0) return;
    const int columns = (format.width + 15) / 16;
    const int rows = (format.height + 15) / 16;
    const int least = settings.codec == Codec::mpeg2 ? rows : 1;
    if (settings.slices >= least && settings.slices <= columns * rows) return;
    problems.push_back("slices " + std::to_string(settings.slices) + " is outside " + std::to_string(least) + ".." +
                       std::to_string(columns * rows) +
                       (settings.codec == Codec::mpeg2 ? " (in MPEG-2 every macroblock row starts a slice)" : ""));
}

void check_mpeg1(Problems& problems, const Settings& settings) {
    if (settings.non_linear_quantiser) problems.push_back("MPEG-1 has no non-linear quantiser scale");
    if (settings.intra_vlc) problems.push_back("MPEG-1 has no second intra VLC table");
    if (settings.alternate_scan) problems.push_back("MPEG-1 has no alternate scan");
    if (settings.intra_dc_precision != 8) {
        problems.push_back("intra DC precision " + std::to_string(settings.intra_dc_precision) + " is not MPEG-1's 8");
    }
}

/// What the search itself refuses.
void check_search(Problems& problems, const Settings& settings) {
    if (search_row(settings.search.algorithm).from_hint) {
        problems.push_back("an encode has no given vectors to take");
        return;
    }
    for (std::string& problem : search_params(settings, PictureType::predicted, largest_distance(settings)).validate())
        problems.push_back(std::move(problem));
}

} // namespace

std::vector<std::string> Settings::validate(const VideoFormat& format) const {
    Problems problems;
    check_enumerator(problems, "the codec", codec, 2);
    check_enumerator(problems, "the decision", decision, 4);
    check_enumerator(problems, "the motion reference", motion_reference, 2);
    check_enumerator(problems, "the search algorithm", search.algorithm, std::ssize(search_table()));
    check_size(problems, codec, format);
    check_frame_rate(problems, codec, format.frame_rate);
    check_colours(problems, codec, format.colour);
    check_range(problems, "qp", qp, 1, 31);
    check_range(problems, "ip factor", ip_factor, 0.1, 10);
    check_range(problems, "pb factor", pb_factor, 0.1, 10);
    check_range(problems, "intra DC precision", intra_dc_precision, 8, 11);
    check_matrix(problems, "intra matrix", intra_matrix);
    check_matrix(problems, "non-intra matrix", non_intra_matrix);
    if (intra_matrix && (*intra_matrix)[0] != 8) problems.push_back("the first entry of an intra matrix is 8");
    check_range(problems, "intra dead zone", deadzone_intra, 0, 32);
    check_range(problems, "inter dead zone", deadzone_inter, 0, 32);
    // In units of 400 bits: 18 bits of them in MPEG-1, whose last value says "variable", and 30 in MPEG-2.
    check_range(problems, "bit rate (kbit/s)", max_bitrate_kbps, 0, codec == Codec::mpeg1 ? 104856 : 429496729);
    check_range(problems, "keyint", keyint, 1, 1024);
    check_range(problems, "B pictures", bframes, 0, 8);
    check_range(problems, "null threshold", search.null_threshold, 0, 65280);
    check_range(problems, "null gain", search.null_gain, 0, 255);
    check_range(problems, "intra threshold", intra_threshold, -65536, 65536);
    check_range(problems, "intra refresh", intra_refresh, 1, 132);
    check_range(problems, "motion range", range.value_or(0), 0, codec == Codec::mpeg1 ? 511 : 1023);
    check_range(problems, "candidates", search.candidates, 1, 16);
    check_range(problems, "grid", search.grid, 1, 2);
    check_range(problems, "lookahead", lookahead, 1, 64);
    check_range(problems, "threads", threads, 0, 1024);
    check_slices(problems, *this, format);
    if (codec == Codec::mpeg1) check_mpeg1(problems, *this);
    if (problems.empty()) check_search(problems, *this);
    return problems;
}

int largest_distance(const Settings& settings) {
    return std::min(settings.bframes + 1, std::max(settings.keyint - 1, 1));
}

int chosen_range(const Settings& settings) {
    return settings.range.value_or(search_row(settings.search.algorithm).usual_range);
}

// Constrained streams of MPEG-1 have vectors of less than 64 pels.
void set_reach(const Settings& settings, int distance, SearchParams& params) {
    constexpr int farthest = 511, farthest_constrained = 63;
    const int vertical_limit = vertical_range_limit(settings.codec);
    if (!search_row(params.algorithm).walks) params.start = Start::zero;
    if (begins_at_predictors(params)) {
        params.range_x = params.range_y = chosen_range(settings);
        const bool constrained = settings.codec == Codec::mpeg1 && settings.max_bitrate_kbps > 0;
        params.farthest_x = constrained ? farthest_constrained : farthest;
        params.farthest_y = std::min(params.farthest_x, vertical_limit);
    } else {
        params.range_x = search_range(settings, distance);
        params.range_y = std::min(params.range_x, vertical_limit);
    }
}

VectorLimits longest_vectors(const Settings& settings, int width, int height) {
    SearchParams params = settings.search;
    set_reach(settings, largest_distance(settings), params);
    return vector_limits(params, width, height);
}

int search_range(const Settings& settings, int distance) {
    constexpr int most_by_distance = 63; // As f_code 4 has it, which constrained streams and Low Level may use.
    const int range = chosen_range(settings);
    return std::min(range * distance, std::max(range, most_by_distance));
}

} // namespace tandem
