// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem bench`.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

CommandRow bench_command();

} // namespace tandem
