// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/transform.h"

#include "encoder/transform_levels.h"

namespace tandem {

const TransformKernels& transform_kernels() { return scalar_transform_kernels; }

std::span<const TransformKernels* const> all_transform_kernels() {
    static constexpr std::array<const TransformKernels*, 1> tables{&scalar_transform_kernels};
    return tables;
}

} // namespace tandem
