// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/kernels/filter_loops.h"

namespace tandem {

constexpr FilterKernels scalar_filter_kernels{SimdLevel::scalar, interpolate, gradients, weigh};

} // namespace tandem
