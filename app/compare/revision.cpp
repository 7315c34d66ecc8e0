// SPDX-License-Identifier: BSD-2-Clause
#include <revision.h>

#include "app/about.h"

namespace tandem {

std::string source_revision() { return TANDEM_REVISION; }

} // namespace tandem
