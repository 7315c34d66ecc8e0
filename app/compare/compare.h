// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem compare`. The exit code; failures are exceptions.
int run_compare(const Arguments& arguments);

} // namespace tandem
