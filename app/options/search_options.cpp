// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/search_options.h"

#include <array>

#include "app/options/option_choices.h"

namespace tandem {

// clang-format off
std::span<const OptionRow> measure_rows() {
    using enum ValueKind;
    constexpr std::string_view motion = "Motion";
    static const std::array rows{
        OptionRow{"metric", 0, choices<metric_names>(), choice, "sad", 0, 0, motion,
            "Sum of absolute differences, of squared ones, or of absolute Hadamard-transformed ones (4x4)."},
        OptionRow{"planes", 0, choices<planes_names>(), choice, "luma", 0, 0, motion,
            "Whose samples the metric sums: luma's, or Y, Cb and Cr together, chroma moving by half the vector."},
    };
    return rows;
}

std::span<const OptionRow> tuning_rows() {
    using enum ValueKind;
    constexpr std::string_view tuning = "Parameters of one search";
    static const std::array rows{
        OptionRow{"first-step", 0, "N", integer, "0", 0, largest_range, tuning, "tss, log: the first step in pels; 0 is as the range needs."},
        OptionRow{"step-sequence", 0, choices<step_sequence_names>(), choice, "falling", 0, 0, tuning, "log: steps m, m-1, ... 1, or halves."},
        OptionRow{"smpuhex-converged", 0, "T", integer, "1000", 0, 4294967295, tuning,
            "smpuhex: below this cost the search ends; thresholds are for 256 samples."},
        OptionRow{"smpuhex-wide", 0, "T", integer, "800", 0, 4294967295, tuning,
            "smpuhex: above this cost the wide patterns are tried, in blocks of 256 samples or more."},
        OptionRow{"smpuhex-wide-small", 0, "T", integer, "7000", 0, 4294967295, tuning, "smpuhex: the same for smaller blocks, which encode has none of."},
        OptionRow{"passes", 0, "N", integer, "2", 1, 4, tuning, "smpuhex: passes; each takes its neighbours from the one before."},
        OptionRow{"block-order", 0, choices<block_order_names>(), choice, "passes", 0, 0, tuning,
            "smpuhex: neighbours of the pass before, or those just found, as in the H.264 joint model (one thread)."},
        OptionRow{"levels", 0, "N", integer, "3", 1, most_levels, tuning, "hier: sizes of the pyramid; 3 is full, half and quarter."},
        OptionRow{"level-candidates", 0, "N", integer, "4", 1, most_level_candidates, tuning, "hier: vectors that each level hands to the next."},
        OptionRow{"phase-window", 0, "N", integer, "32", 16, 256, tuning, "poc: side of the windows: 16, 32, 64, 128 or 256 pels."},
        OptionRow{"phase-layers", 0, "N", integer, "1", 1, 4, tuning, "poc: sizes of the pyramid."},
        OptionRow{"phase-hann", 0, choices<switch_names>(), choice, "1", 0, 0, tuning, "poc: 1: windows fade to their edges (Hann)."},
        OptionRow{"phase-peaks", 0, "N", integer, "4", 1, 16, tuning, "poc: highest peaks that are measured; as many as candidates at least."},
    };
    return rows;
}
// clang-format on

void fill_measure_and_tuning(const Filling& fill, SearchParams& search) {
    fill.choice("metric", metric_names, search.metric);
    fill.choice("planes", planes_names, search.planes);
    fill.integer("first-step", search.first_step);
    fill.choice("step-sequence", step_sequence_names, search.step_sequence);
    fill.integer("smpuhex-converged", search.smpuhex_converged);
    fill.integer("smpuhex-wide", search.smpuhex_wide);
    fill.integer("smpuhex-wide-small", search.smpuhex_wide_small);
    fill.integer("passes", search.passes);
    fill.choice("block-order", block_order_names, search.block_order);
    fill.integer("levels", search.levels);
    fill.integer("level-candidates", search.level_candidates);
    fill.integer("phase-window", search.phase_window);
    fill.integer("phase-layers", search.phase_layers);
    fill.choice("phase-hann", switch_names, search.phase_hann);
    fill.integer("phase-peaks", search.phase_peaks);
}

Json tuning_json(const SearchParams& search) {
    return {{"first_step", search.first_step},
            {"step_sequence", name_of(step_sequence_names, search.step_sequence)},
            {"smpuhex_converged", search.smpuhex_converged},
            {"smpuhex_wide", search.smpuhex_wide},
            {"smpuhex_wide_small", search.smpuhex_wide_small},
            {"passes", search.passes},
            {"block_order", name_of(block_order_names, search.block_order)},
            {"levels", search.levels},
            {"level_candidates", search.level_candidates},
            {"phase_window", search.phase_window},
            {"phase_layers", search.phase_layers},
            {"phase_hann", search.phase_hann},
            {"phase_peaks", search.phase_peaks}};
}

} // namespace tandem
