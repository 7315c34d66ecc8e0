// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "app/options/option_row.h"

namespace tandem {

/// The options of `encode` that say what the input is, which part of it is taken and what becomes of it.
std::vector<OptionRow> encode_input_rows();

} // namespace tandem
