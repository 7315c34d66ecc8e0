// SPDX-License-Identifier: BSD-2-Clause
// Successive elimination (Li and Salari, 1995): a position whose block sums differ from the current block's by more
// than the distortion to beat cannot beat it, since |sum a - sum b| <= sum |a - b|. Kernels per SIMD level.
#pragma once

#include <cstdint>
#include <span>

#include "me/simd_variants.h"
#include "video/simd_level.h"

namespace tandem {

/// Every kernel of every level equals the scalar one. May read up to 64 bytes beyond the `count` elements.
struct EliminationKernels {
    SimdLevel level;
    /// columns[i] += entering[i] - leaving[i].
    void (*slide_columns)(const std::uint8_t* entering, const std::uint8_t* leaving, int count, std::uint16_t* columns);
    /// to[i] = from[i] + from[i + shift]; `to` may be `from`.
    void (*add_shifted)(const std::uint16_t* from, int shift, int count, std::uint16_t* to);
    /// Writes so many chunks of means of 4x4 samples (see CellMeans), given the sums of one row of cells. May read 32
    /// sums beyond.
    void (*pack_means)(const std::uint16_t* sums, int chunks, std::uint8_t* means);
    /// The same of 2x2 samples, given the two rows of samples. May read 33 samples beyond the last chunk's 32.
    void (*pack_fine_means)(const std::uint8_t* upper, const std::uint8_t* lower, int chunks, std::uint8_t* means);
    /// Writes the positions, row by row, of a rectangle of columns x rows whose SAD may be limits[row] or less, by the
    /// coarse means, where there are any, and the fine ones or else the sums, which give the positions' bounds. Returns
    /// how many there are. Limits are below 65535; a row whose limit is negative has none. At most 8161 columns and
    /// 65535 rows.
    int (*survivors)(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found);
};

const EliminationKernels& elimination_kernels();
std::span<const EliminationKernels* const> all_elimination_kernels();

} // namespace tandem
