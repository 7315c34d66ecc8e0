// SPDX-License-Identifier: BSD-2-Clause
// `tandem view`: a coded stream as a page to look into.
#pragma once

#include "app/options/arguments.h"
#include "app/options/option_row.h"

namespace tandem {

CommandRow view_command();

/// Throws InputError in a build without FFmpeg.
int run_view(const Arguments& arguments);

} // namespace tandem
