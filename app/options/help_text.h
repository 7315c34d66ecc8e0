// SPDX-License-Identifier: BSD-2-Clause
// What the option rows look like to people.
#pragma once

#include <string>

#include "app/options/option_row.h"

namespace tandem {

/// Columns of the terminal on standard output; of the variable COLUMNS where that is set; 100 where there is neither.
/// 60 to 140: longer lines are hard to read.
std::size_t help_width();

std::string overview_text(); ///< tandem --help

/// tandem COMMAND --help: examples and the options that are used most, on one screen. All options where the command
/// has no examples. `width`: of the lines, 60 or more columns.
std::string short_help(const CommandRow& command, std::size_t width);
/// tandem COMMAND --help all: every option, by sections.
std::string full_help(const CommandRow& command, std::size_t width);

std::string man_page(std::string_view version); ///< tandem man: troff with the man macros

/// "default 8, 1..31": what the table says of an option's values; empty if nothing.
std::string limits_text(const OptionRow& option);
/// "-o FILE, --output FILE" as a list of the spellings.
std::string spelling(const OptionRow& option);

} // namespace tandem
