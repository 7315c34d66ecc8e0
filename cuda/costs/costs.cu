// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/costs/measure_costs.h"
#include "cuda/device/check.h"

namespace tandem::cuda {

namespace {

constexpr int threads = 128;

/// A thread for each macroblock, a row of groups for each item.
template <CostKind kind> __global__ void __launch_bounds__(threads) measure(const __grid_constant__ CostTask task) {
    const int number = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    if (number < task.columns * task.rows) measure_macroblock<kind>(task, task.items[blockIdx.y], number);
}

template <CostKind kind> void launch(const CostTask& task, cudaStream_t stream) {
    const int groups = (task.columns * task.rows + threads - 1) / threads;
    measure<kind><<<dim3(static_cast<unsigned>(groups), static_cast<unsigned>(task.count)), threads, 0, stream>>>(task);
    check_launch("costs of macroblocks");
}

} // namespace

void launch_costs(CostKind kind, const CostTask& task, cudaStream_t stream) {
    if (task.count == 0) return;
    switch (kind) {
    case CostKind::intra:
        return launch<CostKind::intra>(task, stream);
    case CostKind::predicted:
        return launch<CostKind::predicted>(task, stream);
    case CostKind::both:
        return launch<CostKind::both>(task, stream);
    }
}

} // namespace tandem::cuda
