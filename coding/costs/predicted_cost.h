// SPDX-License-Identifier: BSD-2-Clause
// Costs of macroblocks, in raster order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "me/motion.h"

namespace tandem {

/// The cost of a macroblock predicted from one picture.
struct PredictedCost {
    std::uint32_t cost = 0; ///< In the units of whoever measured it, with the vector's bits.
    Mv mv;                  ///< In eighth-pels of the coded picture: prediction(p) = reference(p + mv).
    bool operator==(const PredictedCost&) const = default;
};

using Costs = std::vector<std::uint32_t>;
using PredictedCosts = std::vector<PredictedCost>;
using CostsPtr = std::shared_ptr<const Costs>;
using PredictedCostsPtr = std::shared_ptr<const PredictedCosts>;

} // namespace tandem
