// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/predict.h"

#include <array>

#include "encoder/transform_levels.h"

namespace tandem {

#ifdef TANDEM_SIMD

const PredictKernels& predict_kernels() {
    switch (simd_level()) {
    case SimdLevel::avx512:
        return avx512_predict_kernels;
    case SimdLevel::avx2:
        return avx2_predict_kernels;
    case SimdLevel::scalar:
        break;
    }
    return scalar_predict_kernels;
}

std::span<const PredictKernels* const> all_predict_kernels() {
    static constexpr std::array<const PredictKernels*, 3> tables{&scalar_predict_kernels, &avx2_predict_kernels,
                                                                 &avx512_predict_kernels};
    return std::span(tables).first(static_cast<std::size_t>(best_simd_level()) + 1);
}

#else

const PredictKernels& predict_kernels() { return scalar_predict_kernels; }

std::span<const PredictKernels* const> all_predict_kernels() {
    static constexpr std::array<const PredictKernels*, 1> tables{&scalar_predict_kernels};
    return tables;
}

#endif

} // namespace tandem
