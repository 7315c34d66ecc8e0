// SPDX-License-Identifier: BSD-2-Clause
#include "me/rows/search_rows.h"

#include "me/candidate_list.h"
#include "me/search.h"

namespace tandem {
namespace {

using Row = SettingRow<SearchParams>;

constexpr std::string_view motion = "Motion";
constexpr std::string_view tuning = "Parameters of one search";

template <auto member> SettingField<SearchParams> field() { return setting_field<SearchParams, member>(); }

/// lambda_q8 as a cost of a bit.
SettingField<SearchParams> lambda_field() {
    return {SettingType::real, false, [](const SearchParams& params) { return params.lambda_q8 / 256.0; },
            [](SearchParams& params, double lambda) {
                params.lambda_q8 = static_cast<std::uint32_t>(std::lround(lambda * 256));
            }};
}

/// Whose start the row sets: the walks of the table.
std::string_view start_help() {
    static const std::string help = [] {
        std::string walks;
        for (const SearchRow& row : search_table())
            if (row.walks) walks += (walks.empty() ? "" : ", ") + std::string(row.name);
        return "Where walks (" + walks +
               ") begin. predictors: at the best of what a coarse search of the whole "
               "picture found; zero: at zero, as in the papers.";
    }();
    return help;
}

// clang-format off
SettingWords on_or_off() { return {{"0", 0}, {"1", 1}}; }
SettingWords eighths() { return {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}}; }

std::vector<Row> shared_rows() {
    return {
    {.name = "metric", .field = field<&SearchParams::metric>(), .words = words_of(metric_names), .section = motion,
     .help = "What a search measures: the sum of absolute differences, of squared ones, or of absolute "
             "Hadamard-transformed ones (4x4); and where brightness shall not count, for measuring motion alone, the "
             "sum of absolute differences from their mean (zsad), or the normalised correlation (ncc, on the CPU)."},
    {.name = "planes", .field = field<&SearchParams::planes>(), .words = words_of(planes_names), .section = motion,
     .help = "Whose samples the metric sums: luma's, or Y, Cb and Cr together, chroma moving by half the vector."},
    {.name = "me-start", .field = field<&SearchParams::start>(), .words = words_of(start_names), .section = motion,
     .help = start_help(),
     .key = "start", .also = "start"},
    {.name = "first-step", .field = field<&SearchParams::first_step>(), .most = largest_range, .section = tuning,
     .help = "tss, log: the first step in pels. 0: as long as the range needs."},
    {.name = "step-sequence", .field = field<&SearchParams::step_sequence>(), .words = words_of(step_sequence_names),
     .section = tuning, .help = "log: falling: steps of m, m-1, ... 1 pels; halving: m, m/2, ... 1."},
    {.name = "smpuhex-converged", .field = field<&SearchParams::smpuhex_converged>(), .most = UINT32_MAX,
     .section = tuning, .help = "smpuhex: a block is done where its cost is below T. This threshold and the next two are for 256 samples.",
     .argument = "T"},
    {.name = "smpuhex-wide", .field = field<&SearchParams::smpuhex_wide>(), .most = UINT32_MAX, .section = tuning,
     .help = "smpuhex: the wide patterns are tried where the cost is above T, in blocks of 256 samples or more.",
     .argument = "T"},
    {.name = "smpuhex-wide-small", .field = field<&SearchParams::smpuhex_wide_small>(), .most = UINT32_MAX,
     .section = tuning, .help = "smpuhex: the same for smaller blocks; an encode has none.", .argument = "T"},
    {.name = "passes", .field = field<&SearchParams::passes>(), .least = 1, .most = 4, .section = tuning,
     .help = "smpuhex: how often it goes over the picture. Each time takes the neighbours' vectors from the time before."},
    {.name = "block-order", .field = field<&SearchParams::block_order>(), .words = words_of(block_order_names),
     .section = tuning,
     .help = "smpuhex: where the neighbours' vectors come from. passes: the pass before; raster: this one, as in the H.264 "
             "joint model, by one thread."},
    {.name = "wide-range", .field = field<&SearchParams::wide_range>(), .most = largest_range, .section = tuning,
     .help = "predictive: pels about the best vector within which each block is searched at quarter size; 0: off."},
    {.name = "levels", .field = field<&SearchParams::levels>(), .least = 1, .most = most_levels, .section = tuning,
     .help = "hier: sizes at which it searches; 3: quarter, half and full."},
    {.name = "level-candidates", .field = field<&SearchParams::level_candidates>(), .least = 1,
     .most = most_level_candidates, .section = tuning, .help = "hier: vectors that each size hands to the next."},
    {.name = "phase-window", .field = field<&SearchParams::phase_window>(),
     .words = {{"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}, {"256", 256}}, .section = tuning,
     .help = "poc: width and height in pels of the windows that are correlated."},
    {.name = "phase-layers", .field = field<&SearchParams::phase_layers>(), .least = 1, .most = 4, .section = tuning,
     .help = "poc: sizes at which it searches; 3: quarter, half and full."},
    {.name = "phase-hann", .field = field<&SearchParams::phase_hann>(), .words = on_or_off(), .section = tuning,
     .help = "poc: 1 lets windows fade towards their edges (Hann), 0 does not."},
    {.name = "phase-peaks", .field = field<&SearchParams::phase_peaks>(), .least = 1, .most = 16, .section = tuning,
     .help = "poc: how many of the highest peaks are measured, at least as many as --candidates."},
    };
}

SettingWords all_searches() {
    SettingWords words;
    for (const SearchRow& row : search_table())
        words.push_back({row.name, static_cast<double>(row.algorithm)});
    return words;
}

std::vector<Row> plain_rows() {
    return {
    {.name = "me", .field = field<&SearchParams::algorithm>(), .words = all_searches(), .section = motion,
     .help = "How vectors are tried; see SEARCHES.", .key = "search", .also = "search|searches"},
    {.name = "precision", .field = field<&SearchParams::precision>(), .words = words_of(precision_names),
     .section = motion,
     .help = "Positions per pel: the best whole vectors are refined to 1/2, 1/4 or 1/8 pel. 2 and 1/2 are the same."},
    {.name = "grid", .field = field<&SearchParams::grid>(), .words = words_of(precision_names), .section = motion,
     .help = "Positions per pel that a full search tries over its whole range, at most the precision."},
    {.name = "interpolation", .field = field<&SearchParams::interpolation>(), .words = words_of(interpolation_names),
     .section = motion,
     .help = "Between samples: bilinear, the six taps of H.264 (to 1/4 pel), or bilinear by a GPU's texture units.",
     .also = "interp"},
    {.name = "boundary", .field = field<&SearchParams::boundary>(), .words = words_of(boundary_names),
     .section = motion,
     .help = "inside: vectors keep the block in the reference; padded: the reference's edges replicate."},
    {.name = "lambda", .field = lambda_field(), .most = 65536, .section = motion,
     .help = "Cost of a bit of the vector in the metric's unit, in steps of 1/256; 0 is distortion alone."},
    {.name = "rate-unit", .field = field<&SearchParams::rate_unit>(), .words = eighths(), .section = motion,
     .help = "Eighth-pels of one step of the coded vector, for its bits: 4 is half a pel, as in MPEG."},
    {.name = "null-threshold", .field = field<&SearchParams::null_threshold>(), .most = UINT32_MAX - 1.0,
     .section = motion,
     .help = "A block whose distortion at zero is at most T keeps zero, unsearched; 0 is off.", .argument = "T"},
    {.name = "null-level", .field = field<&SearchParams::null_level>(), .most = 65535, .section = motion,
     .help = "The same where it is at most C a sample: width x height x C (Massanes et al. 2011, equation 4, with 4); "
             "0 is off.", .argument = "C"},
    {.name = "null-gain", .field = field<&SearchParams::null_gain>(), .most = 65536, .section = motion,
     .help = "Zero stays unless a vector lowers the distortion by more than C a sample; 0 is off.", .argument = "C"},
    {.name = "candidates", .field = field<&SearchParams::candidates>(), .least = 1, .most = most_candidates,
     .section = motion,
     .help = "Vectors kept for each block, best first, with their costs; from 2 on zero is among them, from 3 on the "
             "predictor.", .argument = "K"},
    {.name = "brute", .field = field<&SearchParams::brute_force>(), .section = motion,
     .help = "Full search measures every position; without, it skips those that cannot win. The field is the same."},
    };
}
// clang-format on

} // namespace

std::span<const SettingRow<SearchParams>> shared_search_rows() {
    static const std::vector<Row> rows = shared_rows();
    return rows;
}

std::span<const SettingRow<SearchParams>> plain_search_rows() {
    static const std::vector<Row> rows = plain_rows();
    return rows;
}

} // namespace tandem
