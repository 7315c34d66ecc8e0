// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/transform.h"

#include "encoder/transform_levels.h"

namespace tandem {

#ifdef TANDEM_SIMD

const TransformKernels& transform_kernels() {
    switch (simd_level()) {
    case SimdLevel::avx512:
        return avx512_transform_kernels;
    case SimdLevel::avx2:
        return avx2_transform_kernels;
    case SimdLevel::scalar:
        break;
    }
    return scalar_transform_kernels;
}

std::span<const TransformKernels* const> all_transform_kernels() {
    static constexpr std::array<const TransformKernels*, 3> tables{&scalar_transform_kernels, &avx2_transform_kernels,
                                                                   &avx512_transform_kernels};
    return std::span(tables).first(static_cast<std::size_t>(best_simd_level()) + 1);
}

#else

const TransformKernels& transform_kernels() { return scalar_transform_kernels; }

std::span<const TransformKernels* const> all_transform_kernels() {
    static constexpr std::array<const TransformKernels*, 1> tables{&scalar_transform_kernels};
    return tables;
}

#endif

} // namespace tandem
