// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/preset_option.h"

#include "app/options/setting_options.h"
#include "app/options/shared_rows.h"
#include "encoder/settings/presets.h"
#include "encoder/settings/setting_rows.h"
#include "me/search.h"

namespace tandem {

OptionRow preset_row() {
    OptionRow row;
    row.name = "preset";
    row.argument = preset_names("|");
    row.kind = ValueKind::choice;
    row.fallback = default_preset;
    row.section = section::stream;
    row.help =
        "How much time is spent on small files. It chooses --me, --merange, --candidates, --decision, --trellis, "
        "--bframes, --b-adapt, --scenecut, --mbtree, --mcstf and --rc-lookahead; where one of these is given, that "
        "counts.";
    row.is_basic = true;
    row.changes_stream = true;
    return row;
}

OptionRow tune_row() {
    static const std::string help = [] {
        std::string tunes;
        for (const TuneRow& row : tune_table())
            tunes += (tunes.empty() ? "" : "; ") + std::string(row.name) + ": " + std::string(row.description);
        return "What the preset is to be good for. " + tunes +
               ". It chooses --aq-mode, --aq-strength, --mbtree-strength, --mcstf, --ip-factor, --pb-factor, --qcomp, "
               "--trellis and more --bframes; where one of these is given, that counts.";
    }();
    OptionRow row;
    row.name = "tune";
    row.argument = tune_names("|");
    row.kind = ValueKind::choice;
    row.fallback = tune_table().front().name;
    row.section = section::stream;
    row.help = help;
    row.changes_stream = true;
    return row;
}

Settings preset_settings(const Arguments& arguments) {
    const PresetRow& preset = *find_preset(arguments.text("preset"));
    Settings settings = settings_of(preset);
    find_tune(arguments.text("tune"))->change(settings);
    if (arguments.text("me") != search_row(preset.search).name) settings.range.reset();
    return settings;
}

GivenSettings given_settings(const Arguments& arguments) {
    GivenSettings given;
    given.set_preset(arguments.text("preset"));
    given.set_tune(arguments.text("tune"));
    for_each_given<Settings>(arguments, setting_rows(), [&](const auto& row, double value) { given.set(row, value); });
    return given;
}

Settings chosen_settings(const Arguments& arguments) { return given_settings(arguments).settings(); }

} // namespace tandem
