// SPDX-License-Identifier: BSD-2-Clause
#include "me/c_params.h"

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

#include "me/search.h"
#include "video/errors.h"

namespace tandem {
namespace {

template <class Value> using Names = std::initializer_list<std::pair<const char*, Value>>;

template <class Value> Value named(const char* what, const char* name, Names<Value> names) {
    std::string known;
    for (const auto& [text, value] : names) {
        if (name != nullptr && std::strcmp(name, text) == 0) return value;
        known += (known.empty() ? "" : ", ") + std::string(text);
    }
    throw InputError(std::string(what) + ": '" + (name != nullptr ? name : "NULL") + "' is none of " + known);
}

Algorithm algorithm_named(const char* name) {
    const auto found = algorithm_by_name(name != nullptr ? name : "");
    if (found) return *found;
    std::string known;
    for (const SearchRow& row : search_table())
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    throw InputError(std::string("search: '") + (name != nullptr ? name : "NULL") + "' is none of " + known);
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

Interpolation interpolation_named(const char* name) {
    return named<Interpolation>("interpolation", name,
                                {{"bilinear", Interpolation::bilinear},
                                 {"six-tap", Interpolation::six_tap},
                                 {"texture", Interpolation::texture}});
}

SearchParams search_params(const tandem_motion_params* caller, std::optional<BlockSize> block) {
    const tandem_motion_params given = completed(caller);
    SearchParams params;
    params.algorithm = algorithm_named(given.search);
    params.metric =
        named<Metric>("metric", given.metric, {{"sad", Metric::sad}, {"ssd", Metric::ssd}, {"satd", Metric::satd}});
    params.planes = named<Planes>("planes", given.planes, {{"luma", Planes::luma}, {"all", Planes::all}});
    params.interpolation = interpolation_named(given.interpolation);
    params.boundary =
        named<Boundary>("boundary", given.boundary, {{"inside", Boundary::inside}, {"padded", Boundary::padded}});
    params.predictor =
        named<Predictor>("predictor", given.predictor,
                         {{"zero", Predictor::zero}, {"hint", Predictor::hint}, {"neighbours", Predictor::neighbours}});
    params.step_sequence = named<StepSequence>(
        "step_sequence", given.step_sequence, {{"falling", StepSequence::falling}, {"halving", StepSequence::halving}});
    params.block_order = named<BlockOrder>("block_order", given.block_order,
                                           {{"passes", BlockOrder::passes}, {"raster", BlockOrder::raster}});
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
    params.null_gain = given.null_gain;
    params.brute_force = given.brute_force != 0;
    params.first_step = given.first_step;
    params.smpuhex_converged = given.smpuhex_converged;
    params.smpuhex_wide = given.smpuhex_wide;
    params.smpuhex_wide_small = given.smpuhex_wide_small;
    params.passes = given.passes;
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
    const tandem::SearchParams defaults;
    *params = {};
    params->size = sizeof(*params);
    params->search = "full";
    params->metric = "sad";
    params->planes = "luma";
    params->interpolation = "bilinear";
    params->boundary = "inside";
    params->predictor = "zero";
    params->step_sequence = "falling";
    params->block_order = "passes";
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
    params->levels = defaults.levels;
    params->level_candidates = defaults.level_candidates;
    params->phase_window = defaults.phase_window;
    params->phase_layers = defaults.phase_layers;
    params->phase_hann = defaults.phase_hann ? 1 : 0;
    params->phase_peaks = defaults.phase_peaks;
}
