// SPDX-License-Identifier: BSD-2-Clause
// Who else than the CPU codes pictures.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tandem {

class CostMeter;
class MpegBackend;
class PictureFilter;
struct MpegTools;

/// What an encoder is told of devices. None: the CPU codes alone.
struct CodingDevices {
    /// A device's backend for a stream with these tools; null where there is none for them. Nothing: not yet; it is
    /// asked again with each picture, and the CPU codes until then. May be empty.
    std::function<std::optional<std::unique_ptr<MpegBackend>>(const MpegTools&)> make_mpeg;
    /// The same of a device that measures macroblocks' costs (coding/costs/cost_meter.h).
    std::function<std::optional<std::unique_ptr<CostMeter>>()> make_costs;
    /// The same of a device's temporal filter (coding/filter/temporal_filter.h).
    std::function<std::optional<std::unique_ptr<PictureFilter>>()> make_filter;
    /// Gets a line where a device fails and the CPU goes on. From any thread.
    std::function<void(const std::string&)> on_warning;
    /// Each picture of a device is coded again by the CPU, and must be the same: see docs/command.md.
    bool verify = false;
    /// The CPU codes pictures beside the devices (coding/mpeg/sharing_backend.h).
    bool cpu_shares = false;
};

} // namespace tandem
