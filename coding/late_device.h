// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "machine/errors.h"

namespace tandem {

/// A device that may come later, and goes where it fails. `Device` has a name(). One thread at a time.
template <class Device> class LateDevice {
  public:
    /// Null: there is none. Nothing: not yet.
    using Make = std::function<std::optional<std::unique_ptr<Device>>()>;
    using Warn = std::function<void(const std::string&)>;

    /// `make` may be empty: there is none. So may `warn`. `work`: what it no longer does, as in "filters pictures".
    LateDevice(Make make, Warn warn, std::string work)
        : make_(std::move(make)), warn_(std::move(warn)), work_(std::move(work)) {}

    /// Null: none, not yet, or no longer. Asks until there is an answer.
    Device* get() {
        if (make_) {
            if (auto device = make_()) {
                device_ = *std::move(device);
                make_ = nullptr;
            }
        }
        return device_.get();
    }

    /// After a failure of what get() gave out: says so once.
    void retire(const RunError& error) {
        if (warn_) warn_(device_->name() + " no longer " + work_ + " (" + error.what() + "); the CPU does");
        device_ = nullptr;
    }

  private:
    Make make_;
    const Warn warn_;
    const std::string work_;
    std::unique_ptr<Device> device_;
};

} // namespace tandem
