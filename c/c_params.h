// SPDX-License-Identifier: BSD-2-Clause
// The C interface's parameters as the library's own.
#pragma once

#include <optional>

#include "c/tandem_motion.h"
#include "me/search_params.h"

namespace tandem {

/// NULL is all defaults; `block` stands in the place of the caller's blocks. Throws InputError for a name, a number or
/// a size of the struct that is none.
SearchParams search_params(const tandem_motion_params* caller, std::optional<BlockSize> block = {});

/// Throws InputError with every problem.
void refuse_invalid(const SearchParams& params);

Interpolation interpolation_named(const char* name);

} // namespace tandem
