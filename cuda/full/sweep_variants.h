// SPDX-License-Identifier: BSD-2-Clause
// From the tile that a plan chose to the kernel that was compiled for it.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "cuda/requests/search_task.h"

namespace tandem::cuda {

template <class Kernel> struct SweepVariant {
    SweepTile tile;
    Kernel* kernel;
};

/// std::logic_error where the table has none: then the planner and the kernels do not agree.
template <class Kernel, std::size_t count>
Kernel* kernel_of_tile(const SweepVariant<Kernel> (&variants)[count], SweepTile tile) {
    for (const SweepVariant<Kernel>& variant : variants) {
        if (variant.tile == tile) return variant.kernel;
    }
    throw std::logic_error("no kernel sweeps tiles of this size");
}

} // namespace tandem::cuda
