// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/cost_table.h"

#include <numeric>

namespace tandem {

namespace {

template <class Cost> std::uint64_t sum_of(std::size_t macroblocks, Cost cost) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < macroblocks; ++i)
        sum += cost(i);
    return sum;
}

/// What a map holds for a key; null: nothing.
template <class Map, class Key> const typename Map::mapped_type* find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

} // namespace

CostRow::CostRow(Costs intra)
    : intra_(std::move(intra)), intra_sum_(std::accumulate(intra_.begin(), intra_.end(), std::uint64_t{0})) {}

void CostRow::set_forward(int distance, PredictedCosts costs) {
    Known<PredictedCosts>& known = forward_[distance] = {std::move(costs), 0};
    known.sum = sum_of(macroblocks(), [&](std::size_t i) { return predicted(distance, i).cost; });
}

void CostRow::set_backward(int distance, PredictedCosts costs) { backward_[distance] = {std::move(costs), 0}; }

void CostRow::set_both(int before, int after, Costs costs) {
    Known<Costs>& known = both_[{before, after}] = {std::move(costs), 0};
    known.sum = sum_of(macroblocks(), [&](std::size_t i) { return between(before, after, i).cost; });
}

CheapestPrediction CostRow::predicted(int distance, std::size_t macroblock) const {
    const auto* forward = find(forward_, distance);
    if (forward == nullptr || forward->costs[macroblock].cost >= intra_[macroblock])
        return {intra_[macroblock], nullptr, nullptr};
    return {forward->costs[macroblock].cost, &forward->costs[macroblock].mv, nullptr};
}

CheapestPrediction CostRow::between(int before, int after, std::size_t macroblock) const {
    CheapestPrediction best = predicted(before, macroblock);
    const auto* backward = find(backward_, after);
    if (backward != nullptr && backward->costs[macroblock].cost < best.cost)
        best = {backward->costs[macroblock].cost, nullptr, &backward->costs[macroblock].mv};
    const auto* both = find(both_, std::pair(before, after));
    if (both != nullptr && both->costs[macroblock] < best.cost) {
        best = {both->costs[macroblock], &forward_.at(before).costs[macroblock].mv,
                &backward_.at(after).costs[macroblock].mv};
    }
    return best;
}

std::uint64_t CostRow::predicted_sum(int distance) const {
    const auto* forward = find(forward_, distance);
    return forward == nullptr ? intra_sum_ : forward->sum;
}

std::uint64_t CostRow::between_sum(int before, int after) const {
    const auto* both = find(both_, std::pair(before, after));
    return both == nullptr ? intra_sum_ : both->sum;
}

} // namespace tandem
