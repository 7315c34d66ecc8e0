// SPDX-License-Identifier: BSD-2-Clause
// What somebody says of an encode by the names of its settings, and what follows from that: one place for the command,
// C and Python. Messages write names as the command's options.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "encoder/mpeg/compatibility.h"
#include "encoder/settings.h"
#include "encoder/settings/presets.h"
#include "encoder/settings/setting_rows.h"

namespace tandem {

/// A use:
///
///     GivenSettings given;
///     given.set("preset", "fast");
///     given.set("bitrate", "1500");
///     Settings settings = given.settings();
///     settle_rates(given, settings);
class GivenSettings {
  public:
    /// Throws InputError for a name that no preset has.
    void set_preset(std::string_view name);
    /// Throws InputError for a name that no tune has.
    void set_tune(std::string_view name);
    void set(const SettingRow<Settings>& row, double value) { values_[row.name] = value; }
    /// The value of "preset", of "tune" or of a row as text: a number in decimal, one of the row's words, 0 or 1 for a
    /// switch, of which 0 is as if it were not given. The name may have _ for -, or be another spelling of the row's.
    /// Throws InputError that names what is wrong.
    void set(std::string_view name, std::string_view text);

    /// `name`: of a row.
    bool has(std::string_view name) const { return values_.contains(name); }

    /// The preset's, or the default preset's, as the tune changes them, and then the values that were given. The reach
    /// of the preset's search is for that search alone. A Video CD is MPEG-1 where no codec was given.
    Settings settings() const;

  private:
    const PresetRow* preset_ = find_preset(default_preset);
    const TuneRow* tune_ = &tune_table().front();
    std::map<std::string_view, double> values_; ///< By the names of rows.
};

/// Sets what the rows of the settings leave open of rates: the quality where nothing was given, and what a constant
/// rate makes of the buffer. Throws InputError that names settings which exclude or need one another.
void settle_rates(const GivenSettings& given, Settings& settings);

/// What a standard leaves as it is.
ChosenOptions chosen_options(const GivenSettings& given);

} // namespace tandem
