// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem bench`. The exit code; failures are exceptions.
int run_bench(const Arguments& arguments);

} // namespace tandem
