// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem bench encode`. The exit code; failures are exceptions.
int run_bench_encode(const Arguments& arguments);

} // namespace tandem
