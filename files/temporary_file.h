// SPDX-License-Identifier: BSD-2-Clause
// The names of unfinished files, known to handlers of signals, so that a process that is ended leaves none behind.
#pragma once

#include <string>

namespace tandem {

/// Makes a new file ".tandem-PROCESS-N.tmp" in `directory`, open for writing, and notes its name. Returns its
/// descriptor; -1 with errno where the system refuses.
int create_temporary(const std::string& directory, std::string& name);

/// The file has another name now, or is removed: its name is no longer noted.
void forget_temporary(const std::string& name);

/// Removes all files that are noted. For handlers of signals that end the process: it makes system calls alone.
void remove_temporaries() noexcept;

} // namespace tandem
