// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "app/options/arguments.h"
#include "app/options/option_table.h"

namespace tandem {

/// The options of `python -m tandem.live`, which checks them again.
std::span<const OptionRow> live_rows();

/// `tandem live`: becomes the Python program tandem.live, so it returns only by an exception. Throws InputError where
/// no interpreter has that module.
int run_live(const Arguments& arguments);

} // namespace tandem
