// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/kernels/transform.h"

#include <array>

#include "coding/mpeg/kernels/transform_variants.h"
#include "machine/kernel_table.h"

namespace tandem {

namespace {

#ifdef TANDEM_SIMD
constexpr std::array<const TransformKernels*, 3> kernel_table{&scalar_transform_kernels, &avx2_transform_kernels,
                                                              &avx512_transform_kernels};
#else
constexpr std::array<const TransformKernels*, 1> kernel_table{&scalar_transform_kernels};
#endif

} // namespace

const TransformKernels& transform_kernels() { return row_in_force(kernel_table); }

std::span<const TransformKernels* const> all_transform_kernels() { return runnable_rows(kernel_table); }

} // namespace tandem
