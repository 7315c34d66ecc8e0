// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "app/options/arguments.h"
#include "app/options/option_row.h"

namespace tandem {

/// The options of `python -m tandem.live`, which checks them again.
std::vector<OptionRow> live_rows();
CommandRow live_command();

/// `tandem live`: becomes the Python program tandem.live, so it returns only by an exception. Throws InputError where
/// no interpreter has that module.
int run_live(const Arguments& arguments);

} // namespace tandem
