// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/kernels/filter_loops.h"

namespace tandem {

constexpr FilterKernels avx2_filter_kernels{SimdLevel::avx2, interpolate, gradients, weigh};

} // namespace tandem
