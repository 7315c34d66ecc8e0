// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>

#include "app/compare/compare_options.h"

namespace tandem {
namespace {

using enum ValueKind;

constexpr std::string_view files = "Input and output";
constexpr std::string_view points = "Points";
constexpr std::string_view measures = "Measuring";

// clang-format off
constexpr std::array first_rows{
    OptionRow{"output", 'o', "FOLDER", file, "", 0, 0, files,
        "Gets results.jsonl, a line for each point, and the report. It is made where it does not exist. Points that are in "
        "results.jsonl already are not run again.", true},
    OptionRow{"frames", 0, "N", integer, "", 1, 1000000000, files, "Takes at most N pictures of each clip."},
    OptionRow{"input-res", 0, "WxH", size, "", 1, 16384, files, "The size of raw .yuv clips whose names do not tell it."},
    OptionRow{"fps", 0, "N[/D]", ratio, "", 0, 0, files, "The frame rate; overrides what the clips say."},
    OptionRow{"fresh", 0, "", none, "", 0, 0, files, "Drops the results that are there and begins anew."},
    OptionRow{"keep-streams", 0, "", none, "", 0, 0, files, "Keeps the coded streams in FOLDER/streams, named by their points' keys; of points that are run."},
    OptionRow{"report-only", 0, "", none, "", 0, 0, files, "Runs nothing: writes the report of the results that are there."},
    OptionRow{"list-points", 0, "", none, "", 0, 0, files,
        "Runs nothing: prints number, key, clip, series and quantiser of each point, separated by tabs."},
    OptionRow{"point", 0, "KEY|NUMBER", text, "", 0, 0, files,
        "Runs this one point and prints its line of results.jsonl on standard output; nothing else is written. For sweeps over several "
        "machines; name --threads there, so that all run the same."},

    OptionRow{"codecs", 0, "LIST", text, "mpeg2", 0, 0, points, "Of mpeg1 and mpeg2, separated by commas."},
    OptionRow{"searches", 0, "LIST", text, "full,smpuhex,hier,log", 0, 0, points, "Tandem's searches; see --me of tandem encode. all: each of them."},
    OptionRow{"devices", 0, "LIST", text, "", 0, 0, points,
        "Where motion is searched, as --device of tandem encode has it: cpu, gpu, gpu:0,1, cpu+gpu. [default cpu, and gpu where there is one]"},
    OptionRow{"qps", 0, "LIST", text, "2,4,8,16,31", 0, 0, points, "Quantiser scale codes 1 to 31; see PEERS for what the others make of them."},
    OptionRow{"peers", 0, "LIST", text, "mpeg2video,libx264:preset=superfast", 0, 0, points,
        "Other encoders, see PEERS; none: Tandem alone. One that this machine lacks is left out with a warning."},

    OptionRow{"repeat", 0, "N", integer, "3", 1, 99, measures, "Runs of each point; times are medians. Encoders take turns from run to run. Points that are there already keep the runs that they have."},
    OptionRow{"idct", 0, "ffmpeg|exact", choice, "ffmpeg", 0, 0, measures,
        "The inverse DCT of the decoder that pictures are measured from (MPEG): FFmpeg's own, which most viewers have, or one as the standard defines it."},
    OptionRow{"anchor", 0, "SERIES", text, "", 0, 0, measures, "What the report compares with, by the series' name. [default mpeg2video, or the first series]"},
};
// clang-format on

constexpr std::array taken_sections{std::string_view("Stream"), std::string_view("Quantiser"),
                                    std::string_view("Decisions"), std::string_view("Motion"),
                                    std::string_view("Parameters of one search")};
/// These are what points differ in, or would have to be written once for each codec.
constexpr std::array left_out{std::string_view("codec"), std::string_view("qp"), std::string_view("me"),
                              std::string_view("matrix")};
constexpr std::array last_rows{std::string_view("threads"), std::string_view("simd"), std::string_view("quiet"),
                               std::string_view("verbose"), std::string_view("help"), std::string_view("version")};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Of encode's rows.
bool is_taken(const OptionRow& row) { return is_among(taken_sections, row.section) && !is_among(left_out, row.name); }

} // namespace

bool shapes_stream(const OptionRow& row) { return is_taken(row) && row.name != "lookahead"; }

std::vector<OptionRow> compare_option_rows(std::span<const OptionRow> encode_rows) {
    std::vector<OptionRow> rows(first_rows.begin(), first_rows.end());
    for (const OptionRow& row : encode_rows)
        if (is_taken(row)) rows.push_back(row);
    for (const OptionRow& row : encode_rows)
        if (is_among(last_rows, row.name)) rows.push_back(row);
    return rows;
}

} // namespace tandem
