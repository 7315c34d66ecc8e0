// SPDX-License-Identifier: BSD-2-Clause
// Options that list searches of the table.
#pragma once

#include <string_view>
#include <vector>

#include "app/options/arguments.h"
#include "me/search.h"

namespace tandem {

/// The searches that --`option` lists, "all" being those that this build has and that need no field. Throws InputError
/// for another word and for one that stands there twice.
std::vector<Algorithm> searches_of(const Arguments& arguments, std::string_view option);

} // namespace tandem
