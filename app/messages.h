// SPDX-License-Identifier: BSD-2-Clause
// What is said on standard error: messages by spdlog, and one status line that they do not tear. And standard output,
// which is for data.
#pragma once

#include <string>

namespace tandem {

enum class Verbosity { quiet, normal, verbose };

/// Makes spdlog's default logger write "tandem: ..." to standard error; again: with another verbosity. Before any other
/// thread says something.
void set_up_messages(Verbosity verbosity);

/// True where a status line makes sense: standard error is a terminal.
bool terminal_shows_status();
/// Replaces the status line; messages print above it. Any thread.
void show_status(const std::string& line);
void clear_status();

/// Who reads standard output (`| head`) wants no more of it: no failure, and nothing to say.
struct EnoughPrinted {};

/// To standard output at once, with AtomicFile's checks, errors and patience. Throws EnoughPrinted.
void print(const std::string& text);

} // namespace tandem
