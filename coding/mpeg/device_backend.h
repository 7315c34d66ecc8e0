// SPDX-License-Identifier: BSD-2-Clause
// A device that codes pictures, and the CPU behind it.
#pragma once

#include <memory>

#include "coding/coding_devices.h"
#include "coding/mpeg/mpeg_backend.h"

namespace tandem {

/// The CPU's backend, or the devices' in front of it. A picture at which the device fails is coded again by the CPU,
/// after one warning, and so is the rest: the arrays are the same. Devices that are not there yet take over with the
/// first picture after they are, in coding order. `pool` and `trace` as in make_cpu_mpeg_backend().
std::unique_ptr<MpegBackend> make_mpeg_backend(const MpegTools& tools, TaskPool& pool, Trace* trace,
                                               const CodingDevices& devices);

/// Where two codings of the same picture differ first, in arrays, samples or counts of codings: in words. Empty:
/// nowhere.
std::string first_difference(const MpegCodingJob& cpu, const MpegCodingJob& device);

} // namespace tandem
