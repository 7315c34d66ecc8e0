// SPDX-License-Identifier: BSD-2-Clause
// Completion scripts for shells, made from the option rows.
#pragma once

#include <string>

namespace tandem {

/// tandem completion SHELL
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace tandem
