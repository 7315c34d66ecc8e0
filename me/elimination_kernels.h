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
    /// Writes so many chunks of means (see CellMeans), given the sums of one row of cells. May read 32 sums beyond.
    void (*pack_means)(const std::uint16_t* sums, int chunks, std::uint8_t* means);
    /// Writes the positions, row by row, of a rectangle of columns x rows at which the cells have
    /// sum |sum - value| <= limits[row], and returns how many there are. Limits are below 65535; a row whose limit is
    /// negative has none. At most 8161 columns. The means exclude nothing that the sums would not: they are quicker.
    int (*survivors)(const CellMeans& means, const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     Position* found);
};

const EliminationKernels& elimination_kernels();
std::span<const EliminationKernels* const> all_elimination_kernels();

} // namespace tandem
