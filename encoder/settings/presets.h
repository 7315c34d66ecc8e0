// SPDX-License-Identifier: BSD-2-Clause
// Settings that go together, by how much time they may take.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "encoder/settings.h"

namespace tandem {

/// What a preset says; all other settings are those of a new Settings. What each brings and takes: docs/plan.md.
struct PresetRow {
    std::string_view name;
    // How motion is searched,
    Algorithm search;
    int range;      ///< Settings::range; 0: what is usual for the search.
    int wide_range; ///< SearchParams::wide_range.
    int candidates; ///< SearchParams::candidates.
    // how macroblocks are coded,
    Decision decision;
    bool trellis;
    // and what is decided by the pictures ahead.
    int bframes;
    BAdapt b_adapt;
    int scenecut;
    bool mbtree;
    double temporal_filter;
    int plan_ahead;
};

/// From the fastest to the smallest files.
std::span<const PresetRow> preset_table();

/// The one that a new Settings has.
inline constexpr std::string_view default_preset = "medium";

/// Null where no row has the name.
const PresetRow* find_preset(std::string_view name);

/// The names, with `between` between them.
std::string preset_names(std::string_view between);

/// A use: `Settings settings = settings_of(*find_preset("fast")); settings.keyint = 60;`
Settings settings_of(const PresetRow& preset);

/// What an encode is judged by, or what it shows. What each brings and takes: docs/plan.md.
struct TuneRow {
    std::string_view name, description;
    void (*change)(Settings& settings); ///< Of a preset.
};

/// The first one changes nothing.
std::span<const TuneRow> tune_table();
const TuneRow* find_tune(std::string_view name);
std::string tune_names(std::string_view between);

} // namespace tandem
