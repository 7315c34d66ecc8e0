// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/predict.h"

#include <array>

#include "encoder/transform_levels.h"

namespace tandem {

const PredictKernels& predict_kernels() { return scalar_predict_kernels; }

std::span<const PredictKernels* const> all_predict_kernels() {
    static constexpr std::array<const PredictKernels*, 1> tables{&scalar_predict_kernels};
    return tables;
}

} // namespace tandem
