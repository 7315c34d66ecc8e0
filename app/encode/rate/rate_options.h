// SPDX-License-Identifier: BSD-2-Clause
// The options of rates that depend on each other.
#pragma once

#include "app/encode/encode_options.h"
#include "app/options/arguments.h"

namespace tandem {

/// Sets what the rows of the settings leave open: the default, what follows from other options, passes and zones.
/// Throws InputError that names options which contradict each other.
void fill_rate(const Arguments& arguments, EncodeOptions& options);

} // namespace tandem
