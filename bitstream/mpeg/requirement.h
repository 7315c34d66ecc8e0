// SPDX-License-Identifier: BSD-2-Clause
// How writers refuse what the syntax cannot say.
#pragma once

#include <stdexcept>

namespace tandem {

/// Throws std::invalid_argument with the message where it does not fit.
inline void require(bool fits, const char* message) {
    if (!fits) throw std::invalid_argument(message);
}

} // namespace tandem
