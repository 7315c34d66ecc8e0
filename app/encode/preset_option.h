// SPDX-License-Identifier: BSD-2-Clause
// The options --preset and --tune, and what they leave to others.
#pragma once

#include "app/options/arguments.h"
#include "app/options/option_row.h"
#include "encoder/settings/given_settings.h"

namespace tandem {

OptionRow preset_row();
OptionRow tune_row();

/// The settings of the preset that the user chose, or of the default one, with what the chosen tune changes.
Settings preset_settings(const Arguments& arguments);

/// What the user said of the preset and of settings, wherever the options stand, and the settings of that.
GivenSettings given_settings(const Arguments& arguments);
Settings chosen_settings(const Arguments& arguments);

} // namespace tandem
