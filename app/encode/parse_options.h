// SPDX-License-Identifier: BSD-2-Clause
// From the words of a command line to the options of `tandem encode`.
#pragma once

#include "app/encode/encode_options.h"
#include "app/messages.h"
#include "app/options/arguments.h"

namespace tandem {

/// Throws InputError for what the table cannot check: a matrix file that is wrong, one file in two roles, options that
/// contradict each other.
EncodeOptions encode_options(const Arguments& arguments);

Verbosity verbosity_of(const Arguments& arguments);

} // namespace tandem
