// SPDX-License-Identifier: BSD-2-Clause
// The exceptions that cross rooms; app/ turns them into a message and an exit code, once.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tandem {

/// A message that may quote a file: a zero byte in it would end it, and is shown as '?'.
inline std::string whole_message(std::string text) {
    std::ranges::replace(text, '\0', '?');
    return text;
}

/// The user's input or options are wrong (exit code 2). The message names the value and the limit.
struct InputError : std::runtime_error {
    explicit InputError(const std::string& message) : std::runtime_error(whole_message(message)) {}
};

/// Something failed while running: a write, a device, a library (exit code 1).
struct RunError : std::runtime_error {
    explicit RunError(const std::string& message) : std::runtime_error(whole_message(message)) {}
};

/// The process was told to stop while somebody waited: for another program, which has been ended, or for a pipe.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace tandem
