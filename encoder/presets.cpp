// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/presets.h"

#include <algorithm>
#include <array>

namespace tandem {
namespace {

using enum Algorithm;
using enum Decision;
using enum BAdapt;

// clang-format off
constexpr std::array<PresetRow, 10> presets{{
    // name        search  range candidates decision trellis  B  b_adapt  cut  mbtree ahead
    {"ultrafast",  predictive,  4,  1,      cost,    false,   0, fixed,    0,  false,  1},
    {"superfast",  predictive,  0,  2,      cost,    true,    0, fixed,    0,  false,  1},
    {"veryfast",   predictive,  0,  4,      cost,    true,    2, fixed,    0,  false,  1},
    {"faster",     predictive,  0,  2,      cost,    true,    2, paths,   40,  true,  20},
    {"fast",       predictive,  0,  2,      rd,      true,    2, paths,   40,  true,  20},
    {"medium",     predictive,  0,  4,      rd,      true,    3, paths,   40,  true,  40},
    {"slow",       predictive,  0,  4,      rd,      true,    4, paths,   40,  true,  40},
    {"slower",     predictive,  0,  4,      rd,      true,    6, paths,   40,  true,  60},
    {"veryslow",   predictive, 16,  8,      rd,      true,    8, paths,   40,  true,  80},
    {"placebo",    predictive, 64, 16,      rd,      true,    8, paths,   40,  true, 120},
}};
// clang-format on

} // namespace

std::span<const PresetRow> preset_table() { return presets; }

const PresetRow* find_preset(std::string_view name) {
    const auto found = std::ranges::find(presets, name, &PresetRow::name);
    return found == presets.end() ? nullptr : &*found;
}

std::string preset_names(std::string_view between) {
    std::string names;
    for (const PresetRow& row : presets)
        names.append(names.empty() ? "" : between).append(row.name);
    return names;
}

Settings settings_of(const PresetRow& preset) {
    Settings settings;
    settings.search.algorithm = preset.search;
    if (preset.range > 0) settings.range = preset.range;
    settings.search.candidates = preset.candidates;
    settings.decision = preset.decision;
    settings.trellis = preset.trellis;
    settings.bframes = preset.bframes;
    settings.b_adapt = preset.b_adapt;
    settings.scenecut = preset.scenecut;
    settings.mbtree = preset.mbtree;
    settings.plan_ahead = preset.plan_ahead;
    return settings;
}

} // namespace tandem
