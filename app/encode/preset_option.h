// SPDX-License-Identifier: BSD-2-Clause
// The option --preset, and what it leaves to others.
#pragma once

#include "app/options/arguments.h"
#include "app/options/option_row.h"
#include "encoder/given_settings.h"

namespace tandem {

OptionRow preset_row();

/// The settings of the preset that the user chose, or of the default one.
Settings preset_settings(const Arguments& arguments);

/// What the user said of the preset and of settings, wherever the options stand, and the settings of that.
GivenSettings given_settings(const Arguments& arguments);
Settings chosen_settings(const Arguments& arguments);

} // namespace tandem
