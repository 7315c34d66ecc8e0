// SPDX-License-Identifier: BSD-2-Clause
// Ctrl-C and its like as a flag.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>

namespace tandem {

/// The first SIGINT or SIGTERM sets the flag; the next, unless it is the same within a second, has its usual effect and
/// ends the program. So does SIGHUP, which says that the terminal is gone, except that more of it (the shell's and the
/// system's) are one. So does SIGXCPU, a limit of processor time, any number of times. Other signals that end a process
/// (SIGQUIT, SIGUSR1, SIGALRM, SIGABRT, ...) do, after the unfinished files are removed. What the parent ignores
/// (nohup, a job in the background) stays ignored. SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a limit
/// of files' sizes are failed writes with a message.
void set_up_signals();

/// Memory that ends where no exception can pass ends the program with a message and exit code 1, without its unfinished
/// files.
void set_up_terminate();

const std::atomic<bool>& interrupt_flag();
/// When it was set, in nanoseconds of the monotonic clock; 0: it is not.
const std::atomic<std::int64_t>& interrupt_time();
inline bool interrupted() { return interrupt_flag().load(); }

/// Whether SIGHUP has come: nobody sees what is said.
bool hung_up();

/// The exit code after an interrupt that ended cleanly: 128 and the signal's number, SIGINT's for SIGTERM too.
inline int interrupted_exit_code() { return 128 + (hung_up() ? SIGHUP : SIGINT); }

} // namespace tandem
