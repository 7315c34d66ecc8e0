// SPDX-License-Identifier: BSD-2-Clause
// Ctrl-C and its like as a flag.
#pragma once

#include <atomic>

namespace tandem {

/// The first SIGINT or SIGTERM sets the flag; the next has its usual effect and ends the program. SIGPIPE is ignored,
/// so that a closed pipe is a failed write with a message.
void set_up_signals();

const std::atomic<bool>& interrupt_flag();
inline bool interrupted() { return interrupt_flag().load(); }

/// The exit code after an interrupt that ended cleanly.
inline constexpr int interrupted_exit_code = 130;

} // namespace tandem
