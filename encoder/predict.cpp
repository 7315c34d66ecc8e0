// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/predict.h"

#include <array>

#include "encoder/transform_levels.h"

namespace tandem {

#ifdef TANDEM_SIMD

// Wider registers gain nothing over AVX2: blocks have 8 or 16 columns.
const PredictKernels& predict_kernels() {
    return simd_level() == SimdLevel::scalar ? scalar_predict_kernels : avx2_predict_kernels;
}

std::span<const PredictKernels* const> all_predict_kernels() {
    static constexpr std::array<const PredictKernels*, 2> tables{&scalar_predict_kernels, &avx2_predict_kernels};
    return std::span(tables).first(best_simd_level() == SimdLevel::scalar ? 1 : 2);
}

#else

const PredictKernels& predict_kernels() { return scalar_predict_kernels; }

std::span<const PredictKernels* const> all_predict_kernels() {
    static constexpr std::array<const PredictKernels*, 1> tables{&scalar_predict_kernels};
    return tables;
}

#endif

} // namespace tandem
