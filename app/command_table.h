// SPDX-License-Identifier: BSD-2-Clause
// Every command with its options, in the order in which help lists them.
#pragma once

#include <span>
#include <string_view>

#include "app/options/option_row.h"

namespace tandem {

std::span<const CommandRow> commands();
/// Null where there is no such command.
const CommandRow* find_command(std::string_view name);

} // namespace tandem
