// SPDX-License-Identifier: BSD-2-Clause
// The option --preset, and what it leaves to others.
#pragma once

#include "app/options/arguments.h"
#include "app/options/option_row.h"
#include "encoder/settings.h"

namespace tandem {

OptionRow preset_row();

/// The settings of the preset that the user chose, or of the default one.
Settings preset_settings(const Arguments& arguments);

/// Those, and then what the user said in other options, wherever they stand. The reach of the preset's search is for
/// that search alone.
Settings chosen_settings(const Arguments& arguments);

} // namespace tandem
