// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cuda/device/devices.h"
#include "cuda/device/handles.h"

namespace tandem::cuda {

/// Prints what each stage of coding a 1080p picture takes on the device, and how many pictures a second go through the
/// backend, uploads, downloads and the host's part included.
void print_coding(const DeviceInfo& device, Stream& stream);

} // namespace tandem::cuda
