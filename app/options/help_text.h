// SPDX-License-Identifier: BSD-2-Clause
// What the option table looks like to people and shells.
#pragma once

#include <string>

#include "app/options/option_table.h"

namespace tandem {

std::string overview_text();                      ///< tandem --help
std::string help_text(const CommandRow& command); ///< tandem COMMAND --help
std::string bash_completion();                    ///< tandem completion bash
std::string man_page(std::string_view version);   ///< tandem man: troff with the man macros

/// "default 8, 1..31": what the table says of an option's values; empty if nothing.
std::string limits_text(const OptionRow& option);
/// "-o FILE, --output FILE" as a list of the spellings.
std::string spelling(const OptionRow& option);

} // namespace tandem
