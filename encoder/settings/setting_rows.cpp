// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings/setting_rows.h"

#include <algorithm>

#include "encoder/settings/setting_names.h"
#include "me/candidate_list.h"
#include "me/rows/search_rows.h"
#include "me/search.h"

namespace tandem {
namespace {

using Row = SettingRow<Settings>;

constexpr std::string_view stream = "Stream";
constexpr std::string_view rate = "Rate";
constexpr std::string_view quantiser = "Quantiser";
constexpr std::string_view deciding = "Decisions";
constexpr std::string_view motion = "Motion";
constexpr std::string_view machine = "Machine";

template <auto member> SettingField<Settings> field() { return setting_field<Settings, member>(); }
template <auto member> SettingField<Settings> search_field() {
    return setting_field<Settings, &Settings::search, member>();
}

template <auto member> SettingField<Settings> rate_field() {
    return setting_field<Settings, &Settings::rate, member>();
}
/// Of bits that the option counts by the thousand.
template <auto member> SettingField<Settings> thousands_field() {
    SettingField<Settings> field = rate_field<member>();
    field.get = [](const Settings& settings) { return settings.rate.*member / 1000; };
    field.set = [](Settings& settings, double value) { settings.rate.*member = value * 1000; };
    return field;
}

SettingWords on_or_off() { return {{"0", 0}, {"1", 1}}; }

/// Those that need no vectors given.
SettingWords searches() {
    SettingWords words;
    for (const SearchRow& row : search_table())
        if (!row.from_hint) words.push_back({row.name, static_cast<double>(row.algorithm)});
    return words;
}

/// Without those that do not see brightness: what they find is not what is cheapest to code.
Row metric_row(const SettingRow<SearchParams>& row) {
    Row of_encode = row_of_part(row, &Settings::search);
    std::erase_if(of_encode.words,
                  [](const SettingWord& word) { return !sees_brightness(static_cast<Metric>(word.value)); });
    of_encode.help = "What a search measures: the sum of absolute differences, of squared ones, or of absolute "
                     "Hadamard-transformed ones (4x4).";
    return of_encode;
}

// clang-format off
std::vector<Row> stream_rows() {
    return {
    {.name = "codec", .field = field<&Settings::codec>(), .words = words_of(codec_names), .section = stream,
     .help = "The standard: MPEG-1 (ISO/IEC 11172-2) or MPEG-2 (13818-2). A FILE.m1v is mpeg1 where this is not given.", .is_basic = true},
    {.name = "compat", .field = field<&Settings::compatibility>(), .words = words_of(compatibility_names), .section = stream,
     .help = "What the stream is made for: its limits of size, rate, buffer, group, aspect, profile and level are kept and "
             "checked, before and after, and what is not given follows from it: codec, --keyint, --vbv-maxrate, "
             "--vbv-bufsize, for vcd --cbr, and the kind of .mpg.",
     .key = "compatibility"},
    {.name = "keyint", .field = field<&Settings::keyint>(), .least = 1, .most = 1024, .section = stream,
     .help = "An I picture after so many pictures at most. 1: all pictures are I pictures.", .is_basic = true},
    {.name = "min-keyint", .field = field<&Settings::min_keyint>(), .most = 1024, .section = stream,
     .help = "And at least, where --scenecut could put one sooner; 0 is a tenth of --keyint."},
    {.name = "scenecut", .field = field<&Settings::scenecut>(), .most = 100, .section = stream,
     .help = "How readily a cut becomes an I picture, 1..100 (40 is usual); 0 looks for none."},
    {.name = "bframes", .field = field<&Settings::bframes>(), .most = 8, .section = stream,
     .help = "B pictures in a row, at most.", .is_basic = true},
    {.name = "b-adapt", .field = field<&Settings::b_adapt>(), .words = words_of(b_adapt_names), .section = stream,
     .help = "How many B pictures stand between two others. 0: always --bframes; 1: what is cheapest from each to the "
             "next; 2: what is cheapest over all pictures that --rc-lookahead sees."},
    {.name = "rc-lookahead", .field = field<&Settings::plan_ahead>(), .least = 1, .most = 250, .section = stream,
     .help = "Pictures that --scenecut, --b-adapt and --mbtree see ahead.", .key = "plan_ahead"},
    {.name = "closed-gop", .field = field<&Settings::closed_gop>(), .section = stream,
     .help = "The B pictures at the start of a group do not refer to the group before it, so that a stream can be cut there."},
    {.name = "slices", .field = field<&Settings::slices>(), .most = 1000000, .section = stream,
     .help = "Slices of a picture. 0: one for each row of macroblocks, which is the fewest that MPEG-2 allows."},
    // In units of 400 bits: 18 bits of them in MPEG-1, whose last value says "variable", and 30 in MPEG-2.
    {.name = "maxrate", .field = field<&Settings::max_bitrate_kbps>(), .most = 429496729,
     .limits_in_codec = {{Codec::mpeg1, 0, 104856}}, .section = stream,
     .help = "The bit rate that the stream declares, in kbit/s. 0: \"variable\" in MPEG-1, the level's most in MPEG-2. "
             "It does not steer the quantiser: see --vbv-maxrate.",
     .argument = "KBPS", .key = "max_bitrate_kbps"},
    };
}

std::vector<Row> rate_rows() {
    return {
    {.name = "crf", .field = rate_field<&RateSettings::quality>(), .most = 51, .section = rate,
     .help = "Constant quality: 6 more halve the bits, roughly. 23 where neither this nor --qp nor --bitrate is given.",
     .argument = "Q", .is_basic = true},
    {.name = "bitrate", .field = thousands_field<&RateSettings::bits_per_second>(), .most = 429496729,
     .limits_in_codec = {{Codec::mpeg1, 0, 104856}}, .section = rate,
     .help = "The mean bit rate of the stream, kbit/s. 0: none is asked for.", .argument = "KBPS",
     .is_basic = true},
    {.name = "vbv-maxrate", .field = thousands_field<&RateSettings::vbv_bits_per_second>(), .most = 429496729,
     .section = rate,
     .help = "The rate in kbit/s at which a decoder's buffer is filled at most, which the stream keeps to and declares. "
             "0: there is no such buffer.",
     .argument = "KBPS"},
    {.name = "vbv-bufsize", .field = thousands_field<&RateSettings::vbv_bits>(), .most = 4294950, .section = rate,
     .help = "The size of that buffer in kbit, cut to whole units of 16384 bits.", .argument = "KBIT"},
    {.name = "vbv-init", .field = rate_field<&RateSettings::vbv_initial>(), .most = 1, .section = rate,
     .help = "The part of the buffer that is full when the first picture is due."},
    {.name = "vbv-soft", .field = rate_field<&RateSettings::soft>(), .section = rate,
     .help = "A picture that underflows the buffer at the coarsest quantiser is warned of, and does not end the encode."},
    {.name = "cbr", .field = rate_field<&RateSettings::constant>(), .section = rate,
     .help = "A constant rate: the stream is stuffed where pictures are small, and says when each is due (vbv_delay). "
             "The buffer is filled at --bitrate."},
    {.name = "qpmin", .field = rate_field<&RateSettings::least_quantiser>(), .least = 1, .most = 31, .section = rate,
     .help = "The finest quantiser that rate control may choose."},
    {.name = "qpmax", .field = rate_field<&RateSettings::largest_quantiser>(), .least = 1, .most = 31, .section = rate,
     .help = "The coarsest."},
    {.name = "qpstep", .field = rate_field<&RateSettings::step>(), .least = 1, .most = 50, .section = rate,
     .help = "From picture to picture the quantiser changes by a factor of 2^(F/6) at most."},
    {.name = "qcomp", .field = rate_field<&RateSettings::compression>(), .most = 1, .section = rate,
     .help = "How much complex parts are quantised as others are. 0: their bits are the same, 1: their quantiser is."},
    {.name = "ratetol", .field = rate_field<&RateSettings::tolerance>(), .least = 0.01, .most = 100, .section = rate,
     .help = "How far the bits may be from the rate on the way. 1: 2 % of the time that has passed, and a fifth of a "
             "second at least."},
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
    {.name = "mbtree", .field = field<&Settings::mbtree>(), .words = on_or_off(), .section = quantiser,
     .help = "1: each macroblock's quantiser by how much of it the pictures ahead are predicted from, in place "
             "of --ip-factor and --pb-factor."},
    {.name = "mbtree-strength", .field = field<&Settings::mbtree_strength>(), .most = 1, .section = quantiser,
     .help = "How much finer --mbtree makes the quantiser of what is predicted from."},
    {.name = "mcstf", .field = field<&Settings::temporal_filter>(), .most = 4, .section = quantiser,
     .help = "With --mbtree: how much pictures that others are predicted from are averaged with their neighbours along the motion "
             "before they are coded (motion-compensated temporal filter). 0: not at all; 1 is usual.",
     .key = "temporal_filter"},
    {.name = "aq-mode", .field = field<&Settings::aq_mode>(), .words = words_of(aq_mode_names), .section = quantiser,
     .help = "Each macroblock's quantiser by its texture, which hides errors from eyes and from SSIM; PSNR is lower. 0: off; "
             "1: by its own variance; 2: by that beside the picture's mean."},
    {.name = "aq-strength", .field = field<&Settings::aq_strength>(), .most = 3, .section = quantiser,
     .help = "How much --aq-mode changes the quantiser."},
    {.name = "qscale-type", .field = field<&Settings::non_linear_quantiser>(),
     .words = {{"linear", false}, {"nonlinear", true}}, .limits_in_codec = {{Codec::mpeg1, 0, 0}},
     .section = quantiser, .help = "How codes 1..31 become quantiser scales (MPEG-2 table 7-6).",
     .key = "non_linear_quantiser"},
    {.name = "trellis", .field = field<&Settings::trellis>(), .words = on_or_off(), .section = quantiser,
     .help = "1: coefficients are quantised for the least squared error plus lambda times bits, which is slower and makes "
             "smaller files; 0: each is rounded, as --deadzone-intra and --deadzone-inter say."},
    {.name = "deadzone-intra", .field = field<&Settings::deadzone_intra>(), .most = 32, .section = quantiser,
     .help = "With --trellis 0, for intra blocks: N/64 of a quantiser's step are taken off before a coefficient is rounded to "
             "the nearest. 0 only rounds, 32 rounds towards zero."},
    {.name = "deadzone-inter", .field = field<&Settings::deadzone_inter>(), .most = 32, .section = quantiser,
     .help = "The same for predicted blocks."},
    {.name = "intra-dc-precision", .field = field<&Settings::intra_dc_precision>(), .least = 8, .most = 11,
     .limits_in_codec = {{Codec::mpeg1, 8, 8}}, .section = quantiser,
     .help = "Bits of the mean of an intra block. MPEG-1 has 8 alone; 11 makes the stream High Profile.", .argument = "BITS"},
    {.name = "intra-vlc", .field = field<&Settings::intra_table>(), .words = words_of(intra_table_names),
     .limits_in_codec = {{Codec::mpeg1, static_cast<double>(IntraTable::shorter), static_cast<double>(IntraTable::b14)}},
     .section = quantiser,
     .help = "The table of intra coefficients: 0: the common one (B-14); 1: MPEG-2's own for intra blocks (B-15), which suits fine "
             "quantisers; auto: in each picture the one that makes it smaller."},
    {.name = "alternate-scan", .field = field<&Settings::alternate_scan>(), .limits_in_codec = {{Codec::mpeg1, 0, 0}},
     .section = quantiser, .help = "Writes coefficients in MPEG-2's alternate order, made for interlaced pictures."},
    };
}

std::vector<Row> decision_rows() {
    return {
    {.name = "decision", .field = field<&Settings::decision>(), .words = words_of(decision_names),
     .section = deciding,
     .help = "How each macroblock is coded is chosen. tm5: as Test Model 5 does; sm3: as MPEG-1's Simulation Model 3; "
             "cost: by the least estimated distortion plus lambda times bits; rd: by coding each likely kind to see what "
             "it costs, which is slower and makes smaller files."},
    {.name = "null-threshold", .field = search_field<&SearchParams::null_threshold>(), .most = 65280,
     .section = deciding,
     .help = "A macroblock keeps the zero vector, unsearched, where its sum of absolute differences there is at most T. 0 is "
             "off.", .argument = "T"},
    {.name = "null-gain", .field = search_field<&SearchParams::null_gain>(), .most = 255, .section = deciding,
     .help = "The zero vector stays unless another one lowers the distortion by more than C for each sample. 0 is off.",
     .argument = "C"},
    {.name = "intra-threshold", .field = field<&Settings::intra_threshold>(), .least = -65536, .most = 65536,
     .section = deciding, .help = "Is added to the cost of intra macroblocks, so that a number above 0 makes fewer of them.",
     .argument = "T"},
    {.name = "intra-refresh", .field = field<&Settings::intra_refresh>(), .least = 1, .most = 132,
     .section = deciding,
     .help = "Every macroblock is intra at least once in N times that it is coded, so that what decoders round differently "
             "does not add up."},
    };
}

/// What each search of the table does.
std::string_view search_help() {
    static const std::string help = [] {
        std::string searches;
        for (const SearchRow& row : search_table())
            if (!row.from_hint)
                searches += (searches.empty() ? "" : "; ") + std::string(row.name) + ": " + std::string(row.description);
        return "How motion is searched. " + searches + ".";
    }();
    return help;
}

std::vector<Row> motion_rows() {
    return {
    {.name = "me", .field = search_field<&SearchParams::algorithm>(), .words = searches(), .section = motion,
     .help = search_help(),
     .key = "algorithm", .also = "search|searches", .is_basic = true},
    {.name = "merange", .field = field<&Settings::range>(), .most = 1023, .limits_in_codec = {{Codec::mpeg1, 0, 511}},
     .section = motion,
     .help = "Reach of the search in pels each way, at most 511 in MPEG-1. Of predictive and of walks it is about "
             "what a coarse search found, which may be as far as the picture's size makes plausible. Of other searches, "
             "and with --me-start zero, it is about zero, for the next picture: one N pictures away is searched N times "
             "as far, up to 63. Without it: 8 with predictive, which reaches half as far up and down, else 16.",
     .key = "range", .also = "range"},
    {.name = "grid", .field = search_field<&SearchParams::grid>(), .words = {{"1", 1}, {"2", 2}}, .section = motion,
     .help = "Positions per pel that the search full tries over its whole range; 2 includes half pels. Other searches have 1."},
    {.name = "me-reference", .field = field<&Settings::motion_reference>(), .words = words_of(motion_reference_names),
     .section = motion,
     .help = "Motion is searched between source pictures, ahead of the coding, or against the reconstruction; half-pel "
             "steps are always made on the reconstruction.",
     .key = "motion_reference"},
    {.name = "candidates", .field = search_field<&SearchParams::candidates>(), .least = 1, .most = most_candidates,
     .section = motion,
     .help = "Vectors that the search keeps for each macroblock. Which of them is coded is chosen for all macroblocks of a "
             "slice together, by the bits that they take.",
     .argument = "K"},
    {.name = "lookahead", .field = field<&Settings::lookahead>(), .most = 64, .words = {{"auto", 0}}, .section = motion,
     .help = "How many pictures ahead of the coding motion is searched. auto, or 0: three for two threads, but 4 to 32; 4 "
             "with a GPU, 8 for each of several. The fewer, the sooner a picture is coded after it came.", .changes_stream = false},
    };
}

std::vector<Row> machine_rows() {
    return {
    {.name = "threads", .field = field<&Settings::threads>(), .most = 1024, .words = {{"auto", 0}},
     .section = machine, .help = "Threads; auto, or 0: all of the machine. The result is the same.", .changes_stream = false, .is_basic = true},
    };
}
// clang-format on

std::vector<Row> all_rows() {
    std::vector<Row> all;
    for (const auto part : {stream_rows, rate_rows, quantiser_rows, decision_rows, motion_rows})
        for (Row& row : part())
            all.push_back(std::move(row));
    for (const SettingRow<SearchParams>& row : shared_search_rows())
        all.push_back(row.name == "metric" ? metric_row(row) : row_of_part(row, &Settings::search));
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
