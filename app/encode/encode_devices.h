// SPDX-License-Identifier: BSD-2-Clause
// What an encode searches and codes with: the CPU, and GPUs that may come later.
#pragma once

#include <memory>
#include <optional>

#include "app/devices/device_opening.h"
#include "app/encode/encode_options.h"
#include "app/encode/records/gpu_audit.h"
#include "coding/coding_devices.h"
#include "machine/task_pool.h"
#include "machine/trace.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

/// With --device auto the CPU begins at once and the GPUs join when they are open; GPUs that are asked for, by --device
/// gpu or --verify-gpu, are opened before anything else. The stream is the same.
class EncodeDevices {
  public:
    /// `pool`, `audit` and `trace` outlive it; the last two may be null. Throws as open_devices() does.
    EncodeDevices(const EncodeOptions& options, TaskPool& pool, GpuAudit* audit, Trace* trace);

    Coprocessor& motion() { return *motion_; }
    /// Who codes pictures beside the CPU. It asks this object, which lives longer.
    CodingDevices coding();

  private:
    const DeviceChoice choice_;
    const bool verify_;
    std::unique_ptr<Coprocessor> motion_;
    std::optional<DeviceOpening> opening_; ///< Goes before the coprocessor, which it adds devices to.
};

} // namespace tandem
