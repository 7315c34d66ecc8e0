// SPDX-License-Identifier: BSD-2-Clause
// GPUs that are opened beside a run.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/devices/device_choice.h"

namespace tandem {

/// A driver takes a third of a second to open a GPU, and nobody can interrupt it: so a thread of its own asks it, and a
/// run that ends before does not wait, except that a verbose one does, to say what came of it.
class DeviceOpening {
  public:
    /// Begins to open the devices of a choice in which no GPU is required. `take` gets them, in the thread that opens
    /// them, unless there are none. What goes wrong is a warning.
    DeviceOpening(const DeviceChoice& choice, std::function<void(std::vector<std::unique_ptr<Estimator>>)> take);
    /// `take` is not called after it, and is waited for where it runs.
    ~DeviceOpening();
    DeviceOpening(const DeviceOpening&) = delete;
    DeviceOpening& operator=(const DeviceOpening&) = delete;

    /// Whether the devices are open, or known to be none, and `take` has returned.
    bool is_done() const;

    /// Whether a thread of one, which may be gone itself, still runs: then the process must end without destroying what
    /// is static, since that thread may use it (std::_Exit()).
    static bool any_is_under_way();

  private:
    struct State;
    std::shared_ptr<State> state_; ///< The thread's too.
};

} // namespace tandem
