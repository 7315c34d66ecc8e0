// SPDX-License-Identifier: BSD-2-Clause
// Options of searches that were not chosen.
#pragma once

#include <string>
#include <string_view>

#include "app/options/arguments.h"

namespace tandem {

/// What to tell who gave options that the chosen search has no use for ("--first-step is of tss and log"); empty:
/// nothing. The help of such an option begins with the searches that have it ("tss, log: ...").
std::string unused_search_options(const Arguments& arguments, std::string_view search);

} // namespace tandem
