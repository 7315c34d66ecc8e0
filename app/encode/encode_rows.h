// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem encode`: rows of its own, and those of encoder/settings/setting_rows.h.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

std::vector<OptionRow> encode_rows();
CommandRow encode_command();

} // namespace tandem
