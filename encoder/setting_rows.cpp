// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/setting_rows.h"

#include <algorithm>

#include "encoder/setting_names.h"
#include "me/candidate_list.h"
#include "me/search.h"
#include "me/search_rows.h"

namespace tandem {
namespace {

using Row = SettingRow<Settings>;

constexpr std::string_view stream = "Stream";
constexpr std::string_view quantiser = "Quantiser";
constexpr std::string_view deciding = "Decisions";
constexpr std::string_view motion = "Motion";
constexpr std::string_view machine = "Machine";

template <auto member> SettingField<Settings> field() { return setting_field<Settings, member>(); }
template <auto member> SettingField<Settings> search_field() {
    return setting_field<Settings, &Settings::search, member>();
}

SettingWords on_or_off() { return {{"0", 0}, {"1", 1}}; }

/// Those that need no vectors given.
SettingWords searches() {
    SettingWords words;
    for (const SearchRow& row : search_table())
        if (!row.from_hint) words.push_back({row.name, static_cast<double>(row.algorithm)});
    return words;
}

// clang-format off
std::vector<Row> stream_rows() {
    return {
    {.name = "codec", .field = field<&Settings::codec>(), .words = words_of(codec_names), .section = stream,
     .help = "The standard: MPEG-1 (ISO/IEC 11172-2) or MPEG-2 (13818-2). A FILE.m1v is mpeg1 where this is not given.", .is_basic = true},
    {.name = "keyint", .field = field<&Settings::keyint>(), .least = 1, .most = 1024, .section = stream,
     .help = "Pictures from one I picture to the next. 1: all pictures are I pictures.", .is_basic = true},
    {.name = "bframes", .field = field<&Settings::bframes>(), .most = 8, .section = stream,
     .help = "B pictures between two others (I or P).", .is_basic = true},
    {.name = "closed-gop", .field = field<&Settings::closed_gop>(), .section = stream,
     .help = "No B picture refers to the group before its own."},
    {.name = "slices", .field = field<&Settings::slices>(), .most = 1000000, .section = stream,
     .help = "Slices a picture; 0 is one a macroblock row, and MPEG-2 allows no fewer."},
    // In units of 400 bits: 18 bits of them in MPEG-1, whose last value says "variable", and 30 in MPEG-2.
    {.name = "maxrate", .field = field<&Settings::max_bitrate_kbps>(), .most = 429496729,
     .limits_in_codec = {{Codec::mpeg1, 0, 104856}}, .section = stream,
     .help = "The bit rate that the stream declares, in kbit/s. 0: \"variable\" in MPEG-1, the level's most in MPEG-2. "
             "It does not steer the quantiser.",
     .argument = "KBPS", .key = "max_bitrate_kbps"},
    };
}

std::vector<Row> quantiser_rows() {
    return {
    {.name = "qp", .field = field<&Settings::qp>(), .least = 1, .most = 31, .section = quantiser,
     .help = "Quantiser of P pictures: 1 is finest, 31 the smallest file. See --ip-factor and --pb-factor for the others.", .is_basic = true},
    {.name = "ip-factor", .field = field<&Settings::ip_factor>(), .least = 0.1, .most = 10, .section = quantiser,
     .help = "I pictures are coded at qp / F."},
    {.name = "pb-factor", .field = field<&Settings::pb_factor>(), .least = 0.1, .most = 10, .section = quantiser,
     .help = "B pictures are coded at qp * F."},
    {.name = "qscale-type", .field = field<&Settings::non_linear_quantiser>(),
     .words = {{"linear", false}, {"nonlinear", true}}, .limits_in_codec = {{Codec::mpeg1, 0, 0}},
     .section = quantiser, .help = "How codes 1..31 become quantiser scales (MPEG-2 table 7-6).",
     .key = "non_linear_quantiser"},
    {.name = "trellis", .field = field<&Settings::trellis>(), .words = on_or_off(), .section = quantiser,
     .help = "1: levels of least squared error plus lambda times bits (slower); 0: rounded with the dead zones."},
    {.name = "deadzone-intra", .field = field<&Settings::deadzone_intra>(), .most = 32, .section = quantiser,
     .help = "Without trellis: dead zone of intra coefficients in 1/64 of a step: rounding is 32 - N."},
    {.name = "deadzone-inter", .field = field<&Settings::deadzone_inter>(), .most = 32, .section = quantiser,
     .help = "The same for predicted blocks."},
    {.name = "intra-dc-precision", .field = field<&Settings::intra_dc_precision>(), .least = 8, .most = 11,
     .limits_in_codec = {{Codec::mpeg1, 8, 8}}, .section = quantiser,
     .help = "Precision of intra DC (MPEG-1: 8; 11: High Profile).", .argument = "BITS"},
    {.name = "intra-vlc", .field = field<&Settings::intra_vlc>(), .limits_in_codec = {{Codec::mpeg1, 0, 0}},
     .section = quantiser, .help = "Codes intra coefficients by table B-15 (MPEG-2)."},
    {.name = "alternate-scan", .field = field<&Settings::alternate_scan>(), .limits_in_codec = {{Codec::mpeg1, 0, 0}},
     .section = quantiser, .help = "Scans coefficients in the alternate order (MPEG-2)."},
    };
}

std::vector<Row> decision_rows() {
    return {
    {.name = "decision", .field = field<&Settings::decision>(), .words = words_of(decision_names),
     .section = deciding,
     .help = "How each macroblock is coded is chosen. tm5: as Test Model 5 does; sm3: as MPEG-1's Simulation Model 3; "
             "cost: by the least estimated distortion plus lambda times bits; rd: by coding each likely kind to see what "
             "it costs, which is slower and makes smaller files.",
     .is_basic = true},
    {.name = "null-threshold", .field = search_field<&SearchParams::null_threshold>(), .most = 65280,
     .section = deciding,
     .help = "A macroblock whose SAD at the zero vector is at most T keeps it; 0 is off.", .argument = "T"},
    {.name = "null-gain", .field = search_field<&SearchParams::null_gain>(), .most = 255, .section = deciding,
     .help = "The zero vector stays unless another lowers the distortion by more than C a sample; 0 is off.",
     .argument = "C"},
    {.name = "intra-threshold", .field = field<&Settings::intra_threshold>(), .least = -65536, .most = 65536,
     .section = deciding, .help = "Added to the cost of an intra macroblock: above 0 there are fewer of them.",
     .argument = "T"},
    {.name = "intra-refresh", .field = field<&Settings::intra_refresh>(), .least = 1, .most = 132,
     .section = deciding,
     .help = "A macroblock is intra again after being coded N times, so that inverse DCTs cannot drift apart."},
    };
}

std::vector<Row> motion_rows() {
    return {
    {.name = "me", .field = search_field<&SearchParams::algorithm>(), .words = searches(), .section = motion,
     .help = "How motion is searched. full: every position of the range; tss: three steps; log: logarithmic; diamond, "
             "hexagon: small patterns; smpuhex: the simplified UMHexagonS of the H.264 joint model; hier: coarse to "
             "fine; predictive: a window about the best of what a coarse search of the whole picture found, however "
             "far; poc: phase correlation.",
     .key = "algorithm", .also = "search|searches", .is_basic = true},
    {.name = "merange", .field = field<&Settings::range>(), .most = 1023, .limits_in_codec = {{Codec::mpeg1, 0, 511}},
     .section = motion,
     .help = "Reach of the search in pels each way, at most 511 in MPEG-1. Of predictive and of walks it is about "
             "what a coarse search found, which may be as far as the picture's size makes plausible. Of other searches, "
             "and with --me-start zero, it is about zero, for the next picture: one N pictures away is searched N times "
             "as far, up to 63. Without it: 8 with predictive, which reaches half as far up and down, else 16.",
     .key = "range", .also = "range", .is_basic = true},
    {.name = "grid", .field = search_field<&SearchParams::grid>(), .words = {{"1", 1}, {"2", 2}}, .section = motion,
     .help = "Positions per pel that the search full, which alone has 2, tries over its whole range."},
    {.name = "me-reference", .field = field<&Settings::motion_reference>(), .words = words_of(motion_reference_names),
     .section = motion,
     .help = "Motion is searched between source pictures, ahead of the coding, or against the reconstruction; half-pel "
             "steps are always made on the reconstruction.",
     .key = "motion_reference"},
    {.name = "candidates", .field = search_field<&SearchParams::candidates>(), .least = 1, .most = most_candidates,
     .section = motion,
     .help = "Vectors that the search keeps for each macroblock; the choice among them weighs the bits along the slice.",
     .argument = "K"},
    {.name = "lookahead", .field = field<&Settings::lookahead>(), .least = 1, .most = 64, .section = motion,
     .help = "Pictures whose motion may be under way ahead of the coding.", .changes_stream = false},
    };
}

std::vector<Row> machine_rows() {
    return {
    {.name = "threads", .field = field<&Settings::threads>(), .most = 1024, .words = {{"auto", 0}},
     .section = machine, .help = "Threads; auto, or 0, is as many as the machine runs at once. The result is the same.", .changes_stream = false, .is_basic = true},
    };
}
// clang-format on

std::vector<Row> all_rows() {
    std::vector<Row> all;
    for (const auto part : {stream_rows, quantiser_rows, decision_rows, motion_rows})
        for (Row& row : part())
            all.push_back(std::move(row));
    for (const SettingRow<SearchParams>& row : shared_search_rows())
        all.push_back(row_of_part(row, &Settings::search));
    for (Row& row : machine_rows())
        all.push_back(std::move(row));
    return all;
}

} // namespace

std::span<const SettingRow<Settings>> setting_rows() {
    static const std::vector<Row> rows = all_rows();
    return rows;
}

const SettingRow<Settings>* find_setting(std::string_view name) {
    const auto rows = setting_rows();
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace tandem
