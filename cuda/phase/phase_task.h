// SPDX-License-Identifier: BSD-2-Clause
// What the kernels of phase correlation take: plain data with addresses in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/vector_key.h"

namespace tandem::cuda {

/// A plane of samples in device memory.
struct SamplePlane {
    const std::uint8_t* samples = nullptr;
    int pitch = 0; ///< Bytes from a row to the next.
    int width = 0, height = 0;
};

/// A plane and its smaller layers.
inline constexpr int most_layers = 4;
struct SampleLayers {
    SamplePlane layer[most_layers];
    int count = 0;
};

/// A displacement in whole samples of a layer.
struct Displacement {
    int x, y;
};
/// In place of a block's displacement: a coarser layer's windows had no peak, and the block gets no proposals.
inline constexpr int lost_displacement = INT32_MIN;

/// In place of a proposal: none. No search allows this vector.
TANDEM_HOST_DEVICE constexpr Mv no_proposal() { return {INT16_MIN, INT16_MIN}; }

/// The windows of `batch` blocks on one layer. Of a batch's last blocks, those beyond the task's repeat its last one.
struct PhaseWindows {
    SamplePlane current, reference; ///< The layer.
    int layer = 0;                  ///< log2 of how many times smaller it is.
    int side_shift = 0;             ///< log2 of the side of a window: 4..8.
    bool hann = true;
    int first = 0, batch = 0;              ///< Blocks of the task first .. first + batch - 1.
    Displacement* displacements = nullptr; ///< One per block of the batch, in samples of this layer.

    TANDEM_HOST_DEVICE constexpr int side() const { return 1 << side_shift; } ///< Samples.
    TANDEM_HOST_DEVICE constexpr int area() const { return 1 << (2 * side_shift); }
    /// Coefficients of a spectrum: side() rows of the frequencies 0 .. side() / 2.
    TANDEM_HOST_DEVICE constexpr int spectrum() const { return side() * (side() / 2 + 1); }
    /// The highest frequency that counts, as in me/search/phase/phase_correlation.cpp.
    TANDEM_HOST_DEVICE constexpr int band() const { return 3 * side() / 8; }
};

} // namespace tandem::cuda
