// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem bench motion`. The exit code; failures are exceptions.
int run_bench_motion(const Arguments& arguments);

} // namespace tandem
