// SPDX-License-Identifier: BSD-2-Clause
// The options --preset and --tune, and what they leave to others.
#pragma once

#include "app/options/arguments.h"
#include "app/options/option_row.h"
#include "encoder/settings.h"

namespace tandem {

OptionRow preset_row();
OptionRow tune_row();

/// The settings of the preset that the user chose, or of the default one, with what the chosen tune changes.
Settings preset_settings(const Arguments& arguments);

/// Those, and then what the user said in other options, wherever they stand. The reach of the preset's search is for
/// that search alone.
Settings chosen_settings(const Arguments& arguments);

} // namespace tandem
