// SPDX-License-Identifier: BSD-2-Clause
// The exceptions that cross rooms; app/ turns them into a message and an exit code, once.
#pragma once

#include <stdexcept>
#include <string>

namespace tandem {

/// The user's input or options are wrong (exit code 2). The message names the value and the limit.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Something failed while running: a write, a device, a library (exit code 1).
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The process was told to stop while somebody waited: for another program, which has been ended, or for a pipe.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace tandem
