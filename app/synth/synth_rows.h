// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem synth`.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

CommandRow synth_command();

} // namespace tandem
