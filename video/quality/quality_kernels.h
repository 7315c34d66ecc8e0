// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "machine/simd_level.h"
#include "video/quality/squared_error.h"
#include "video/quality/ssim_cells.h"

namespace tandem {

/// Every kernel of every level equals the scalar one bit for bit.
struct QualityKernels {
    SimdLevel level;
    SquaredErrorFunction squared_error;
    SsimCellsFunction ssim_cells;
};

/// The best table that the level in force allows.
const QualityKernels& quality_kernels();
/// Every table that this machine runs, the scalar one first.
std::span<const QualityKernels* const> all_quality_kernels();

} // namespace tandem
