// SPDX-License-Identifier: BSD-2-Clause
// Successive elimination (Li and Salari, 1995): a position whose block sums differ from the current block's by more
// than the distortion to beat cannot beat it, since |sum a - sum b| <= sum |a - b|. Kernels per SIMD level.
#pragma once

#include <cstdint>
#include <span>

#include "machine/simd_level.h"
#include "me/kernels/elimination_variants.h"

namespace tandem {

/// Every kernel of every level equals the scalar one.
struct EliminationKernels {
    SimdLevel level;
    /// Cells of 2x2 samples, from two rows of them: so many strips of 64 positions, or two chunks. Cells beyond the
    /// strips count as bytes 0. May read 65 samples of the last strip.
    void (*fine_row)(const std::uint8_t* upper, const std::uint8_t* lower, int strips, const FineRow& row);
    /// The means of 4x4 samples, from the sums of two such rows, of which the lower one begins two samples further
    /// down. Reads one sum beyond the strips, and for those beyond counts bytes 0.
    void (*coarse_row)(const FineRow& upper, const FineRow& lower, int strips, std::uint8_t* means);
    /// The bytes of a block whose width is a multiple of 8, and whose height of 4.
    void (*block_bytes)(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height, BlockBytes& bytes);
    /// Writes the positions, in any order, of a rectangle of columns x rows whose SAD may be limits[row] or less, by
    /// the coarse means, where there are any, and the fine and the folded ones or else the sums. These give the
    /// position's bound: the larger of the two, the fine one cut to 65535 - slack. Returns how many there are, or
    /// hopeless where the coarse means leave more than three quarters of the rectangle. Limits are below 65535; a row
    /// whose limit is negative has none. At most 8161 columns and most_rows_of_survivors rows.
    int (*survivors)(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found);
};

const EliminationKernels& elimination_kernels();
std::span<const EliminationKernels* const> all_elimination_kernels();

} // namespace tandem
