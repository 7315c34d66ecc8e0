// SPDX-License-Identifier: BSD-2-Clause
// What kernels get that measure macroblocks' costs: coding/costs/macroblock_costs.h says which.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "coding/costs/costs.h"

namespace tandem::cuda {

/// One picture's costs of one kind, those of CostWork. What a kind has no use for is null.
struct CostItem {
    const std::uint8_t* picture = nullptr; ///< Luma of half size, as the next two.
    const std::uint8_t* first = nullptr;   ///< Predicted: from this one. Both.
    const std::uint8_t* last = nullptr;    ///< Both.
    const Candidate* field = nullptr;      ///< Predicted: `candidates` of each macroblock, the best first.
    int candidates = 0;
    const PredictedCost* forward = nullptr;  ///< Both.
    const PredictedCost* backward = nullptr; ///< Both.
    std::uint32_t* costs = nullptr;          ///< Intra, both.
    PredictedCost* predicted = nullptr;
};

/// A kind's items, in the device's memory.
struct CostTask {
    const CostItem* items;
    int count;
    int columns, rows; ///< Macroblocks of each picture.
    int stride;        ///< Distance of two rows of samples.
};

enum class CostKind { intra, predicted, both };

/// Queues the work on the stream and checks the launch (RunError). Predicted costs go before those of both.
void launch_costs(CostKind kind, const CostTask& task, cudaStream_t stream);

} // namespace tandem::cuda
