// SPDX-License-Identifier: BSD-2-Clause
// What belongs to the process that made it.
#pragma once

#include <unistd.h>

#include <string>

#include "machine/errors.h"

namespace tandem::python {

/// A forked process has none of its parent's threads: what they were to do is not done there, and nothing that they may
/// have held is touched.
class OfOneProcess {
  public:
    bool is_here() const { return getpid() == process_; }
    void refuse_elsewhere(const char* what) const {
        if (!is_here()) throw RunError(std::string(what) + " belongs to the process that this one was forked from");
    }

  private:
    const pid_t process_ = getpid();
};

} // namespace tandem::python
