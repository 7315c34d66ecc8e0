// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "app/options/arguments.h"

namespace tandem {

/// `tandem devices`. The exit code; failures are exceptions.
int run_devices(const Arguments& arguments);

} // namespace tandem
