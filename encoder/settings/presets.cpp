// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings/presets.h"

#include <algorithm>
#include <array>

namespace tandem {
namespace {

using enum Algorithm;
using enum Decision;
using enum BAdapt;

// clang-format off
constexpr std::array<PresetRow, 10> presets{{
    // name        search  range wide candidates decision trellis  B  b_adapt  cut  mbtree filter ahead
    {"ultrafast",  predictive,  1,  0,  1,      cost,    false,   0, fixed,    0,  false,  0,  1},
    {"superfast",  predictive,  8,  0,  2,      cost,    true,    0, fixed,    0,  false,  0,  1},
    {"veryfast",   predictive,  8,  0,  4,      cost,    true,    2, fixed,    0,  false,  0,  1},
    {"faster",     predictive,  8,  0,  2,      cost,    true,    2, paths,   40,  true,   0, 20},
    {"fast",       predictive,  8,  0,  2,      rd,      true,    2, paths,   40,  true,   1, 20},
    {"medium",     predictive,  0, 60,  4,      rd,      true,    6, paths,   40,  true,   1, 40},
    {"slow",       predictive,  0, 60,  4,      rd,      true,    8, paths,   40,  true,   1, 40},
    {"slower",     predictive,  0, 60,  4,      rd,      true,    8, paths,   40,  true,   1, 60},
    {"veryslow",   predictive, 16, 60,  4,      rd,      true,    8, paths,   40,  true,   1, 80},
    {"placebo",    predictive, 64, 60,  4,      rd,      true,    8, paths,   40,  true,   1, 120},
}};
// clang-format on

constexpr int most_bframes = 8;

void change_nothing(Settings&) {}

void for_ssim(Settings& settings) {
    settings.aq_mode = AqMode::picture;
    settings.aq_strength = 1;
    settings.rate.compression = 0.6;
}

/// Noise is no one's prediction: references are worth less, B pictures as much as others; a trellis and the temporal
/// filter would save it.
void for_grain(Settings& settings) {
    settings.aq_mode = AqMode::picture;
    settings.aq_strength = 0.5;
    settings.mbtree_strength = 0.3;
    settings.temporal_filter = 0;
    settings.ip_factor = settings.pb_factor = 1.1;
    settings.trellis = false;
}

/// Large areas without texture, and movement that B pictures follow well.
void for_animation(Settings& settings) {
    settings.aq_mode = AqMode::picture;
    settings.aq_strength = 0.5;
    if (settings.bframes > 0) settings.bframes = std::min(settings.bframes + 2, most_bframes);
}

constexpr std::array<TuneRow, 4> tunes{{
    {"psnr", "the least squared error", change_nothing},
    {"ssim", "structural similarity, by --aq-mode 2", for_ssim},
    {"grain", "film grain and noise that are to stay", for_grain},
    {"animation", "drawn pictures", for_animation},
}};

template <class Rows> const typename Rows::value_type* find(const Rows& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Rows::value_type::name);
    return found == rows.end() ? nullptr : &*found;
}

template <class Rows> std::string names_of(const Rows& rows, std::string_view between) {
    std::string names;
    for (const auto& row : rows)
        names.append(names.empty() ? "" : between).append(row.name);
    return names;
}

} // namespace

std::span<const PresetRow> preset_table() { return presets; }

const PresetRow* find_preset(std::string_view name) { return find(presets, name); }

std::string preset_names(std::string_view between) { return names_of(presets, between); }

std::span<const TuneRow> tune_table() { return tunes; }

const TuneRow* find_tune(std::string_view name) { return find(tunes, name); }

std::string tune_names(std::string_view between) { return names_of(tunes, between); }

Settings settings_of(const PresetRow& preset) {
    Settings settings;
    settings.search.algorithm = preset.search;
    if (preset.range > 0) settings.range = preset.range;
    settings.search.wide_range = preset.wide_range;
    settings.search.candidates = preset.candidates;
    settings.decision = preset.decision;
    settings.trellis = preset.trellis;
    settings.bframes = preset.bframes;
    settings.b_adapt = preset.b_adapt;
    settings.scenecut = preset.scenecut;
    settings.mbtree = preset.mbtree;
    settings.temporal_filter = preset.temporal_filter;
    settings.plan_ahead = preset.plan_ahead;
    return settings;
}

} // namespace tandem
