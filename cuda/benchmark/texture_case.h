// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cuda/device/handles.h"

namespace tandem::cuda {

/// Prints the speed of the texture units' interpolation beside the packed arithmetic's, and the histogram of how their
/// SADs differ.
void print_textures(Stream& stream);

} // namespace tandem::cuda
