// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/kernels/filter_kernels.h"

#include <array>

#include "machine/kernel_table.h"

namespace tandem {

namespace {

#ifdef TANDEM_SIMD
// Blocks have 8 or 16 columns, so that wider registers gain nothing.
constexpr std::array<const FilterKernels*, 2> kernel_table{&scalar_filter_kernels, &avx2_filter_kernels};
#else
constexpr std::array<const FilterKernels*, 1> kernel_table{&scalar_filter_kernels};
#endif

} // namespace

const FilterKernels& filter_kernels() { return row_in_force(kernel_table); }

std::span<const FilterKernels* const> all_filter_kernels() { return runnable_rows(kernel_table); }

} // namespace tandem
