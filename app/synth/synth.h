// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem synth`. The exit code; failures are exceptions.
int run_synth(const Arguments& arguments);

} // namespace tandem
