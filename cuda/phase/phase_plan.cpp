// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/phase/phase_plan.h"

#include <algorithm>

namespace tandem::cuda {

PhaseBatches phase_batches(int blocks, int side, int most_samples) {
    const int most = std::max(most_samples / (side * side), 1);
    const int count = (blocks + most - 1) / most;
    return {count, (blocks + count - 1) / count};
}

} // namespace tandem::cuda
