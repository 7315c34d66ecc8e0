// SPDX-License-Identifier: BSD-2-Clause
// Tables of costs that tests make by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "encoder/lookahead/cost_table.h"

namespace tandem::test {

/// The cost of predicting picture `at` from picture `from`.
using CostOf = std::function<std::uint32_t(int at, int from)>;

inline constexpr std::uint32_t intra_cost = 1000;

template <class Measured> std::shared_ptr<const Measured> share(Measured costs) {
    return std::make_shared<const Measured>(std::move(costs));
}

/// One macroblock a picture; from the mean of two predictions costs a tenth less than from the better of them.
inline CostTable table_of(int pictures, int furthest, const CostOf& cost) {
    CostTable table{1, 1, {}};
    for (int at = 0; at < pictures; ++at) {
        CostRow& row = table.pictures.emplace_back(share(Costs(1, intra_cost)));
        for (int d = 1; d <= furthest && d <= at; ++d)
            row.set_forward(d, share(PredictedCosts(1, {cost(at, at - d), {}})));
        for (int d = 1; d <= furthest && at + d < pictures; ++d)
            row.set_backward(d, share(PredictedCosts(1, {cost(at, at + d), {}})));
        for (int f = 1; f <= furthest && f <= at; ++f)
            for (int b = 1; f + b <= furthest && at + b < pictures; ++b)
                row.set_both(f, b, share(Costs(1, std::min(cost(at, at - f), cost(at, at + b)) * 9 / 10)));
        row.sum_up();
    }
    return table;
}

} // namespace tandem::test
