// SPDX-License-Identifier: BSD-2-Clause
#include "c/c_params.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "machine/errors.h"
#include "me/rows/search_names.h"
#include "me/search.h"

namespace tandem {
namespace {

template <class Value, std::size_t count>
Value named(const char* what, const char* name, const NameTable<Value, count>& names) {
    if (const auto value = value_named(names, name != nullptr ? name : "")) return *value;
    throw InputError(std::string(what) + ": '" + (name != nullptr ? name : "NULL") + "' is none of " +
                     joined_names(names, ", "));
}

Algorithm algorithm_named(const char* name) {
    const auto found = algorithm_by_name(name != nullptr ? name : "");
    if (found) return *found;
    throw InputError(std::string("search: '") + (name != nullptr ? name : "NULL") + "' is none of " +
                     search_names(", ", true));
}

/// The caller's struct may be shorter than ours: an older one, whose missing members keep their defaults.
tandem_motion_params completed(const tandem_motion_params* given) {
    tandem_motion_params params;
    tandem_motion_defaults(&params);
    if (given == nullptr) return params;
    constexpr std::size_t first_version = offsetof(tandem_motion_params, phase_peaks) + sizeof(std::int32_t);
    if (given->size < first_version || given->size > sizeof(params)) {
        throw InputError("params: a struct of " + std::to_string(given->size) +
                         " bytes; tandem_motion_defaults() sets its size, and this library knows up to " +
                         std::to_string(sizeof(params)));
    }
    std::memcpy(&params, given, given->size);
    return params;
}

} // namespace

void refuse_invalid(const SearchParams& params) {
    std::string problems;
    for (const std::string& problem : params.validate())
        problems += (problems.empty() ? "" : "; ") + problem;
    if (!problems.empty()) throw InputError(problems);
}

Interpolation interpolation_named(const char* name) { return named("interpolation", name, interpolation_names); }

SearchParams search_params(const tandem_motion_params* caller, std::optional<BlockSize> block) {
    const tandem_motion_params given = completed(caller);
    SearchParams params;
    params.algorithm = algorithm_named(given.search);
    params.metric = named("metric", given.metric, metric_names);
    params.planes = named("planes", given.planes, planes_names);
    params.interpolation = interpolation_named(given.interpolation);
    params.boundary = named("boundary", given.boundary, boundary_names);
    params.predictor = named("predictor", given.predictor, predictor_names);
    params.step_sequence = named("step_sequence", given.step_sequence, step_sequence_names);
    params.start = named("me_start", given.me_start, start_names);
    params.block_order = named("block_order", given.block_order, block_order_names);
    params.block_width = given.block_width;
    params.block_height = given.block_height;
    params.range_x = given.range_x;
    params.range_y = given.range_y;
    params.precision = given.precision;
    params.grid = given.grid;
    params.candidates = given.candidates;
    params.lambda_q8 = given.lambda_q8;
    params.rate_unit = given.rate_unit;
    params.null_threshold = given.null_threshold;
    params.null_level = given.null_level;
    params.null_gain = given.null_gain;
    params.brute_force = given.brute_force != 0;
    params.first_step = given.first_step;
    params.smpuhex_converged = given.smpuhex_converged;
    params.smpuhex_wide = given.smpuhex_wide;
    params.smpuhex_wide_small = given.smpuhex_wide_small;
    params.passes = given.passes;
    params.wide_range = given.wide_range;
    params.levels = given.levels;
    params.level_candidates = given.level_candidates;
    params.phase_window = given.phase_window;
    params.phase_layers = given.phase_layers;
    params.phase_hann = given.phase_hann != 0;
    params.phase_peaks = given.phase_peaks;
    if (block) {
        params.block_width = block->width;
        params.block_height = block->height;
    }
    refuse_invalid(params);
    return params;
}

} // namespace tandem

void tandem_motion_defaults(tandem_motion_params* params) {
    if (params == nullptr) return;
    using namespace tandem;
    const SearchParams defaults;
    // The tables' names are literals, which end in 0.
    const auto word = [](const auto& names, auto value) { return name_of(names, value).data(); };
    *params = {};
    params->size = sizeof(*params);
    params->search = search_row(defaults.algorithm).name.data();
    params->metric = word(metric_names, defaults.metric);
    params->planes = word(planes_names, defaults.planes);
    params->interpolation = word(interpolation_names, defaults.interpolation);
    params->boundary = word(boundary_names, defaults.boundary);
    params->predictor = word(predictor_names, defaults.predictor);
    params->step_sequence = word(step_sequence_names, defaults.step_sequence);
    params->me_start = word(start_names, defaults.start);
    params->block_order = word(block_order_names, defaults.block_order);
    params->block_width = defaults.block_width;
    params->block_height = defaults.block_height;
    params->range_x = defaults.range_x;
    params->range_y = defaults.range_y;
    params->precision = defaults.precision;
    params->grid = defaults.grid;
    params->candidates = defaults.candidates;
    params->rate_unit = defaults.rate_unit;
    params->smpuhex_converged = defaults.smpuhex_converged;
    params->smpuhex_wide = defaults.smpuhex_wide;
    params->smpuhex_wide_small = defaults.smpuhex_wide_small;
    params->passes = defaults.passes;
    params->wide_range = defaults.wide_range;
    params->levels = defaults.levels;
    params->level_candidates = defaults.level_candidates;
    params->phase_window = defaults.phase_window;
    params->phase_layers = defaults.phase_layers;
    params->phase_hann = defaults.phase_hann ? 1 : 0;
    params->phase_peaks = defaults.phase_peaks;
}
