// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem compare`: rows of its own, and the settings of an encode.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

CommandRow compare_command();

} // namespace tandem
