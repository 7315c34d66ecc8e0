// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem motion`: rows of its own, and those of me/rows/search_rows.h.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

CommandRow motion_command();

} // namespace tandem
