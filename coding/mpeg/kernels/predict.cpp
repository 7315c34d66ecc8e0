// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/kernels/predict.h"

#include <array>

#include "coding/mpeg/kernels/transform_variants.h"
#include "machine/kernel_table.h"

namespace tandem {

namespace {

#ifdef TANDEM_SIMD
// Wider registers gain nothing over AVX2: blocks have 8 or 16 columns.
constexpr std::array<const PredictKernels*, 2> kernel_table{&scalar_predict_kernels, &avx2_predict_kernels};
#else
constexpr std::array<const PredictKernels*, 1> kernel_table{&scalar_predict_kernels};
#endif

} // namespace

const PredictKernels& predict_kernels() { return row_in_force(kernel_table); }

std::span<const PredictKernels* const> all_predict_kernels() { return runnable_rows(kernel_table); }

} // namespace tandem
