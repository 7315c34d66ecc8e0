// SPDX-License-Identifier: BSD-2-Clause
// The kernel tables of each SIMD level, for transform.cpp and predict.cpp to choose from.
#pragma once

#include "encoder/predict.h"
#include "encoder/transform.h"

namespace tandem {

extern const TransformKernels scalar_transform_kernels;
extern const PredictKernels scalar_predict_kernels;

// In builds with TANDEM_SIMD only.
extern const TransformKernels avx2_transform_kernels;
extern const TransformKernels avx512_transform_kernels;
extern const PredictKernels avx2_predict_kernels;
extern const PredictKernels avx512_predict_kernels;

/// In the tables of AVX2 and of AVX-512.
void inverse_dct_avx2(const Block& coefficients, Block& values);

} // namespace tandem
